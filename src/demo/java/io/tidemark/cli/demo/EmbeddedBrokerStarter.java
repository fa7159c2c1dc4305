package io.tidemark.cli.demo;

import io.tidemark.app.BrokerStarter;
import io.tidemark.app.RunningComponents;
import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.embedded.EmbeddedBroker;
import java.io.IOException;

/** A starter of a broker in this process, for any command whose configuration asks for one. */
public final class EmbeddedBrokerStarter implements BrokerStarter {

  @Override
  public String start(BrokerSettings settings, RunningComponents parts) throws IOException {
    return parts.addShared("the embedded Kafka", EmbeddedBroker.start(settings)).bootstrapServers();
  }
}

package io.tidemark.cli.demo;

import io.tidemark.cli.wiring.BrokerStarter;
import io.tidemark.cli.wiring.RunningComponents;
import io.tidemark.config.BrokerSettings;
import io.tidemark.embedded.EmbeddedBroker;
import java.io.IOException;

/** A starter of a broker in this process, for any command whose configuration asks for one. */
public final class EmbeddedBrokerStarter implements BrokerStarter {

  @Override
  public String start(BrokerSettings settings, RunningComponents parts) throws IOException {
    return parts.addShared("the embedded Kafka", EmbeddedBroker.start(settings)).bootstrapServers();
  }
}

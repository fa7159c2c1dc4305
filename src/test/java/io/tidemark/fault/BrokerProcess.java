package io.tidemark.fault;

import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.embedded.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;

/** A broker in a process of its own, which can be killed and paused. */
public final class BrokerProcess {

  private BrokerProcess() {}

  /** @param arguments port, advertised port, folder */
  public static void main(String[] arguments) throws IOException {
    var broker = EmbeddedBroker.start(new BrokerSettings(
        Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Path.of(arguments[2]), -1));
    Runtime.getRuntime().addShutdownHook(new Thread(broker::close));
  }
}

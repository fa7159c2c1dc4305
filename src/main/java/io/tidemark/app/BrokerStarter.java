package io.tidemark.app;

import io.tidemark.kafka.BrokerSettings;
import java.io.IOException;

/**
 * A starter of the embedded broker that {@code kafka.embedded} configures. {@link KafkaCluster} finds the
 * implementation with {@link java.util.ServiceLoader}. The implementation is in {@code lib/embedded}, which a
 * production installation does not have.
 */
public interface BrokerStarter {

  /**
   * Starts a broker, which stops when {@code parts} is closed. Returns after the broker is ready for clients.
   *
   * @return the address for {@code bootstrap.servers}
   * @throws java.net.BindException if the port is taken
   * @throws IOException if the data folder cannot be written
   * @throws org.apache.kafka.common.KafkaException if another broker uses the data folder
   */
  String start(BrokerSettings settings, RunningComponents parts) throws IOException;
}

package io.tidemark.kafka;

import java.nio.file.Path;

/**
 * Settings of the embedded broker: its ports, and the folder and size of its data.
 *
 * @param port the port for clients; 0 for any free port
 * @param advertisedPort the port that the broker advertises to clients; 0 to advertise the port on which it listens
 *     for clients
 * @param dataFolder folder of the broker's data, created if it is missing; only one broker at a time can use it
 * @param retentionBytes approximate maximum size, in bytes, of each partition, for topics whose cleanup policy
 *     deletes old records; {@link #UNLIMITED} for no limit, otherwise at least 8 MiB. A topic with its own
 *     {@code retention.bytes}, such as {@code control}, is not limited by this size
 */
public record BrokerSettings(int port, int advertisedPort, Path dataFolder, long retentionBytes) {

  public static final long UNLIMITED = -1;

  public BrokerSettings(int port, Path data) {
    this(port, 0, data, UNLIMITED);
  }
}

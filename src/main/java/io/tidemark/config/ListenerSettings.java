package io.tidemark.config;

import io.tidemark.yaml.YamlSection;

/**
 * The address and port on which the program serves: the web port, or health and metrics.
 *
 * @param port 0: any free one
 * @param maxConnections open at a time
 * @param configured whether the configuration names it; else it is a default that nobody need rely on
 */
public record ListenerSettings(String address, int port, int maxConnections, boolean configured) {

  static ListenerSettings read(YamlSection in, String defaultPort, String defaultConnections,
      boolean configured) {
    var port = in.get("port", defaultPort).integer(0, 65_535, "0 (any free one) to 65535");
    var connections = in.get("max-connections", defaultConnections).integer(1, 100_000, "1 to 100000 open at a time");
    return new ListenerSettings(in.get("address", "127.0.0.1").text(), port, connections,
        configured || in.has("address") || in.has("port"));
  }
}

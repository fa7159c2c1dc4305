package io.tidemark.config;

/**
 * Where health and metrics are served.
 *
 * @param configured whether the configuration says so; else it is a default that nobody need rely on
 */
public record ListenerSettings(String address, int port, boolean configured) {

  static ListenerSettings read(Section in, boolean asked) {
    in.only("address", "port");
    var port = in.get("port", "9090");
    if (port.whole() < 0 || port.whole() > 65_535) {
      throw port.refused("0 (any free one) to 65535, not " + port.shown());
    }
    return new ListenerSettings(
        in.get("address", "127.0.0.1").text(), port.whole(), asked || in.has("address") || in.has("port"));
  }
}

package io.tidemark.config;

/** Where the web port listens. */
public record WebSettings(String address, int port) {

  static WebSettings read(Section in) {
    in.only("address", "port", "keys");
    in.notYet("keys");
    var port = in.get("port", "8080");
    if (port.whole() < 0 || port.whole() > 65_535) {
      throw port.refused("0 (any free one) to 65535, not " + port.shown());
    }
    return new WebSettings(in.get("address", "127.0.0.1").text(), port.whole());
  }
}

package io.tidemark.simulator;

/** Where pictures would be. */
final class Images {
  private static final String HOST = "https://images.example/";

  private Images() {}

  static String coin(String id, String size) {
    return HOST + "coins/" + id + "/" + size + ".png";
  }

  static String token(String id) {
    return HOST + "tokens/" + id + "/large.png";
  }

  static String market(String id, String size) {
    return HOST + "markets/" + id + "/" + size + ".png";
  }

  static String platform(String name, String size) {
    return HOST + "platforms/" + name + "/" + size + ".png";
  }
}

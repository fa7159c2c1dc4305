package io.tidemark.simulator.generator;

/** Where pictures would be. */
public final class Images {
  private static final String HOST = "https://images.example/";

  private Images() {}

  public static String coin(String id, String size) {
    return HOST + "coins/" + id + "/" + size + ".png";
  }

  public static String token(String id) {
    return HOST + "tokens/" + id + "/large.png";
  }

  public static String market(String id, String size) {
    return HOST + "markets/" + id + "/" + size + ".png";
  }

  public static String platform(String name, String size) {
    return HOST + "platforms/" + name + "/" + size + ".png";
  }
}

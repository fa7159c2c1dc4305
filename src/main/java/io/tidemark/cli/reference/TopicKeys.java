package io.tidemark.cli.reference;

import java.util.Map;

/** What the key of each topic is, for people. */
final class TopicKeys {

  private static final Map<String, String> OF_RESOURCES = Map.ofEntries(
      Map.entry("pool", "`<network>_<address>`"),
      Map.entry("token", "`<network>_<address>`"),
      Map.entry("ranking", "the list: `<network>/trending/<duration>`, `<network>/new`, `<network>/dex/<dex>/<sort>`, "
          + "`<network>/token/<address>/<sort>`, `<network>/token/<address>/top`, `search/<network or *>/<query>`"),
      Map.entry("global", "`global`"),
      Map.entry("coin-day", "`<coin>/<yyyy-mm-dd>`"),
      Map.entry("ticker", "`<coin>/<market>/<base>/<target>`"),
      Map.entry("derivatives-exchange", "the exchange"),
      Map.entry("contract", "`<exchange>/<symbol>`"),
      Map.entry("treasury", "the entity"),
      Map.entry("holding", "`<entity>/<coin>`"),
      Map.entry("platform", "its id; `name:<name>` where that is empty or null"));

  private static final Map<String, String> OF_OTHERS = Map.ofEntries(
      Map.entry("target.state", "the target"),
      Map.entry("target.members", "`<target>#<page>`"),
      Map.entry("source.state", "the source"),
      Map.entry("watch", "`<kind>/<name>`"),
      Map.entry("control", "none: the same word in every partition"),
      Map.entry("pool.listing", "the pool"),
      Map.entry("movers", "the network"),
      Map.entry("launches", "`<network>/<exchange>/<hour>`"),
      Map.entry("trending", "the pool"),
      Map.entry("liquidity", "`<network>`, and `<network>/<exchange>`"),
      Map.entry("venues", "the coin"),
      Map.entry("derivatives", "the coin; the contracts' base where the service names none"),
      Map.entry("treasuries", "the coin"),
      Map.entry("dominance", "the coin's symbol"),
      Map.entry("alerts", "the resource it is about"),
      Map.entry("alerts.state", "the alert's fingerprint"),
      Map.entry("dead-letters", "the target"),
      Map.entry("tidemark-sources", "the slot"));

  private TopicKeys() {}

  /**
   * @param topic without the prefix
   * @throws IllegalArgumentException where nothing is said of it
   */
  static String of(String topic) {
    var resource = topic.replaceFirst("\\.(changes|state|candles\\.[0-9a-z]+)$", "");
    var key = OF_OTHERS.getOrDefault(topic, OF_RESOURCES.get(resource));
    if (key == null) {
      throw new IllegalArgumentException("nothing is said of the key of " + topic);
    }
    return key;
  }
}

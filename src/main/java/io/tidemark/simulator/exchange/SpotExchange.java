package io.tidemark.simulator.exchange;

import io.tidemark.simulator.generator.TextTable;
import java.util.List;

/**
 * A spot exchange.
 *
 * @param share of all volume in a coin that goes through it
 * @param targets currencies for which it trades
 */
record SpotExchange(String id, String name, double share, List<String> targets) {
  static List<SpotExchange> all() {
    return TextTable.read("venues.txt").stream().map(SpotExchange::of).toList();
  }

  private static SpotExchange of(List<String> row) {
    return new SpotExchange(row.get(0), row.get(1), Double.parseDouble(row.get(2)), List.of(row.get(3).split(" ")));
  }
}

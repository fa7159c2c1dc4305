package io.tidemark.simulator;

import java.util.List;

/**
 * A spot exchange.
 *
 * @param share of all volume in a coin that goes through it
 * @param targets currencies for which it trades
 */
record Venue(String id, String name, double share, List<String> targets) {
  static List<Venue> all() {
    return Table.read("venues.txt").stream().map(Venue::of).toList();
  }

  private static Venue of(List<String> row) {
    return new Venue(row.get(0), row.get(1), Double.parseDouble(row.get(2)), List.of(row.get(3).split(" ")));
  }
}

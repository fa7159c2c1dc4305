package io.tidemark.eventlog;

import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.RankingOrderChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The order of a list after a change, and the fewest moves between two orders. */
final class ListOrders {
  /** The facet of a ranking. */
  static final String ORDER = "order";

  private ListOrders() {}

  /** Returns the order after a change, by the documented rule for the fold of rankings. */
  static List<String> fold(List<String> before, RankingOrderChange change) {
    var rest = new ArrayList<>(before);
    change.getExited().stream().map(Exited::getPool).forEach(rest::remove);
    change.getMoved().stream().map(Moved::getPool).forEach(rest::remove);
    var placed = new TreeMap<Integer, String>();
    change.getEntered().forEach((Entered each) -> placed.put(each.getRank(), each.getPool()));
    change.getMoved().forEach(each -> placed.put(each.getRank(), each.getPool()));
    placed.forEach((rank, pool) -> rest.add(Math.max(0, Math.min(rank - 1, rest.size())), pool));
    return rest;
  }

  /** Returns the smallest number of the remaining pools that must move to give the new order. */
  static int fewestMoves(List<String> before, List<String> after) {
    Map<String, Integer> place = new HashMap<>();
    before.forEach(pool -> place.put(pool, place.size()));
    var piles = new ArrayList<Integer>();
    int stayed = 0;
    for (String pool : after) {
      Integer old = place.get(pool);
      if (old != null) {
        stayed++;
        int pile = (int) piles.stream().filter(top -> top < old).count();
        if (pile == piles.size()) {
          piles.add(old);
        } else {
          piles.set(pile, old);
        }
      }
    }
    return stayed - piles.size();
  }
}

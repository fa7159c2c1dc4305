package io.tidemark.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A log of the prices that a service showed for pools, in the order in which they were shown. Published prices are
 * compared with the log. A price has so many digits that no price occurs twice.
 */
final class PriceLog {
  private final Map<String, LinkedHashMap<String, ShownPrice>> byPool = new HashMap<>();

  /** The time when a price was first shown, and its number within its pool, from 0. */
  private record ShownPrice(int number, Instant at) {}

  /** A price that was published, and the time when a consumer received it. */
  record PublishedPrice(String pool, String price, Instant receivedAt) {}

  /**
   * The counts of a comparison of published prices with the prices in the log.
   *
   * @param shown changes of prices, without the first price of each pool
   * @param caught shown changes that were published, each counted once
   * @param invented published prices that were never shown, or that go back to a price that had already been replaced
   * @param doubled published prices that repeat the last published price of the pool
   * @param latencyMillis median time from showing a price to receiving it; NaN if no change was caught
   */
  record Coverage(int shown, int caught, int invented, int doubled, double latencyMillis) {}

  /** Adds a price that the service shows at the given time, unless it showed the price before. */
  void show(String pool, String price, Instant at) {
    var prices = byPool.computeIfAbsent(pool, id -> new LinkedHashMap<>());
    prices.putIfAbsent(price, new ShownPrice(prices.size(), at));
  }

  /** Compares published prices, which are in the order in which they were published, with the log. */
  Coverage coverage(List<PublishedPrice> published) {
    var last = new HashMap<String, PublishedPrice>();
    var newest = new HashMap<String, Integer>();
    var latencies = new ArrayList<Double>();
    var invented = 0;
    var doubled = 0;
    for (var each : published) {
      var shown = find(each);
      var before = last.put(each.pool(), each);
      if (before != null && before.price().equals(each.price())) {
        doubled++;
      } else if (shown == null || shown.number() < newest.getOrDefault(each.pool(), 0)) {
        invented++;
      } else {
        newest.put(each.pool(), shown.number());
        if (shown.number() > 0) {
          latencies.add((double) Duration.between(shown.at(), each.receivedAt()).toMillis());
        }
      }
    }
    var all = byPool.values().stream().mapToInt(prices -> prices.size() - 1).sum();
    var median = latencies.isEmpty()
        ? Double.NaN
        : BenchResult.median(latencies.stream().mapToDouble(Double::doubleValue));
    return new Coverage(all, latencies.size(), invented, doubled, median);
  }

  private @Nullable ShownPrice find(PublishedPrice published) {
    var prices = byPool.get(published.pool());
    return prices == null ? null : prices.get(published.price());
  }
}

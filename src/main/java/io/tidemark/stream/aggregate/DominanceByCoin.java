package io.tidemark.stream.aggregate;

import io.tidemark.event.Dominance;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.MarketShares;
import io.tidemark.event.Point;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Dominance: the share of each coin in the market, and how it shifts. */
public final class DominanceByCoin implements Aggregation<MarketShares, Dominance> {

  private static final Duration LONGEST = Duration.ofHours(25);

  @Override
  public String name() {
    return "dominance";
  }

  @Override
  public Class<MarketShares> memberType() {
    return MarketShares.class;
  }

  @Override
  public Class<Dominance> aggregateType() {
    return Dominance.class;
  }

  @Override
  public boolean reads(SpecificRecord change) {
    return change instanceof GlobalChange;
  }

  @Override
  public @Nullable MarketShares fold(@Nullable MarketShares known, SpecificRecord record) {
    var change = (GlobalChange) record;
    if (change.getRemoved() != null) {
      return null;
    }
    var shares = known == null ? MarketShares.newBuilder().build() : known;
    if (change.getVisibility() != null) {
      shares.setVisible(change.getVisibility().getVisible());
    }
    var dominance = change.getDominance() == null ? null : change.getDominance().getAfter();
    if (dominance != null && dominance.getMarketCapPercentage() != null) {
      list(shares, finite(dominance.getMarketCapPercentage()));
    }
    return shares;
  }

  @Override
  public List<String> groups(MarketShares shares) {
    return Stream.concat(shares.getListed().keySet().stream(), shares.getUnlisted().keySet().stream())
        .sorted()
        .toList();
  }

  @Override
  public MarketShares withHistory(String coin, @Nullable MarketShares before, MarketShares now, Instant at) {
    var history = before == null ? List.<Point>of() : before.getHistory();
    var share = now.getListed().get(coin);
    now.setHistory(share == null ? history : DayHistory.with(history, at, share));
    return now;
  }

  /** What it was an hour and a day ago changes without news. */
  @Override
  public Duration recomputedFor() {
    return LONGEST;
  }

  @Override
  public @Nullable Dominance aggregate(String coin, Stream<MarketShares> members, Instant at) {
    var market = members.toList();
    return market.isEmpty() ? null : of(coin, market.iterator().next(), at);
  }

  private static Dominance of(String coin, MarketShares shares, Instant at) {
    var listed = shares.getListed().get(coin);
    var percentage = listed == null ? shares.getUnlisted().getOrDefault(coin, 0.0) : listed;
    var dominance = Dominance.newBuilder().build();
    dominance.setCoin(coin);
    dominance.setVisible(shares.getVisible());
    dominance.setListed(listed != null);
    dominance.setPercentage(percentage);
    if (listed != null) {
      dominance.setRank(1 + (int) shares.getListed().values().stream().filter(share -> share > listed).count());
      dominance.setChange1h(change(shares, listed, at.minus(Duration.ofHours(1))));
      dominance.setChange24h(change(shares, listed, at.minus(Duration.ofHours(24))));
    }
    return dominance;
  }

  private static @Nullable Double change(MarketShares shares, double now, Instant then) {
    var before = DayHistory.at(shares.getHistory(), then);
    return before == null ? null : now - before;
  }

  /** Coins that are not listed any more keep what was last told of them. */
  private static void list(MarketShares shares, Map<String, Double> listed) {
    var unlisted = new TreeMap<>(shares.getUnlisted());
    unlisted.putAll(shares.getListed());
    unlisted.keySet().removeAll(listed.keySet());
    shares.setListed(listed);
    shares.setUnlisted(unlisted);
  }

  private static Map<String, Double> finite(Map<String, Double> sent) {
    var finite = new TreeMap<String, Double>();
    sent.forEach((coin, share) -> {
      var number = FiniteNumbers.of(share);
      if (number != null) {
        finite.put(coin, number);
      }
    });
    return finite;
  }
}

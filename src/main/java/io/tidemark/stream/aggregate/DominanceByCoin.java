package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

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

/** Dominance: the share of each coin in the market, and its shift over an hour and a day. */
public final class DominanceByCoin extends Aggregation<MarketShares, Dominance> {

  private static final Duration HISTORY = Duration.ofHours(25);

  public DominanceByCoin() {
    super("dominance", MarketShares.class, Dominance.class, GlobalChange.class);
  }

  @Override
  protected MarketShares fold(@Nullable MarketShares known, SpecificRecord record) {
    var change = (GlobalChange) record;
    var shares = known == null ? MarketShares.newBuilder().build() : known;
    shares.setVisible(isVisible(change.getVisibility(), shares.getVisible()));
    var dominance = change.getDominance() == null ? null : change.getDominance().getAfter();
    if (dominance != null && dominance.getMarketCapPercentage() != null) {
      shares.setGapSince(DayHistory.gapStart(
          change.getDominance().getBeforeObservedAt(), change.getOrigin(), shares.getGapSince()));
      setListed(shares, finite(dominance.getMarketCapPercentage()));
    }
    return shares;
  }

  @Override
  protected List<String> groups(MarketShares shares) {
    return Stream.concat(shares.getListed().keySet().stream(), shares.getUnlisted().keySet().stream())
        .sorted()
        .toList();
  }

  @Override
  protected boolean keepsHistory() {
    return true;
  }

  @Override
  protected MarketShares withHistory(String coin, @Nullable MarketShares before, MarketShares now, Instant at) {
    var history = before == null ? List.<Point>of() : before.getHistory();
    var share = now.getListed().get(coin);
    now.setHistory(DayHistory.with(history, at, share != null && now.getVisible() ? share : Double.NaN,
        now.getGapSince()));
    return now;
  }

  /**
   * Returns the length of the history. The aggregate compares a share with the shares an hour ago and a day ago, so the
   * result changes with time even if the market does not change.
   */
  @Override
  protected Duration recomputedFor() {
    return HISTORY;
  }

  /** Returns a summary of a single member: the market, of which there is only one. */
  @Override
  protected Summary<MarketShares, Dominance> summary(String coin, Instant at) {
    return Summary.ofAll(markets -> aggregate(coin, markets.getFirst(), at));
  }

  private static Dominance aggregate(String coin, MarketShares shares, Instant at) {
    var listed = shares.getListed().get(coin);
    var percentage = listed == null ? shares.getUnlisted().getOrDefault(coin, 0.0) : listed;
    var dominance = Dominance.newBuilder().setCoin(coin).setVisible(shares.getVisible()).setListed(listed != null)
        .setPercentage(percentage).build();
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

  /** Replaces the shares of the listed coins. A coin that is no longer listed becomes unlisted with its last share. */
  private static void setListed(MarketShares shares, Map<String, Double> listed) {
    var unlisted = new TreeMap<>(shares.getUnlisted());
    unlisted.putAll(shares.getListed());
    unlisted.keySet().removeAll(listed.keySet());
    shares.setListed(listed);
    shares.setUnlisted(unlisted);
  }

  private static Map<String, Double> finite(Map<String, Double> shares) {
    var finite = new TreeMap<>(shares);
    finite.values().removeIf(share -> number(share) == null);
    return finite;
  }
}

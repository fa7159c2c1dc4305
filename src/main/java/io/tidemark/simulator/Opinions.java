package io.tidemark.simulator;

import io.tidemark.event.PoolSentiment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What people say of a pool, and what is known of its locks: refreshed once a day. */
record Opinions(Noise noise, Pace pace, Incident incident) {
  private static final double SILENT = 0.2;
  private static final double SUSPICIOUS = 0.05;
  private static final double UNKNOWN = 0.4;
  private static final double HOUR = 3_600;
  private static final int MOST_REPORTS = 250;
  private static final int A_DOZEN = 12;

  PoolSentiment sentiment(PoolFacts pool, long at) {
    var own = noise.of(pool.id());
    if (own.chance(SILENT, 0)) {
      return new PoolSentiment(0.0, 0.0, reports(own, pool, at));
    }
    double positive = Decimals.rounded(own.between(30, 100, day(at)), 2);
    return new PoolSentiment(positive, Decimals.rounded(100 - positive, 2), reports(own, pool, at));
  }

  private double reports(Noise own, PoolFacts pool, long at) {
    double hours = (pace.marketSeconds(at) - pace.marketSeconds(pool.created())) / HOUR;
    double usual = own.chance(SUSPICIOUS, 1) ? Math.min(MOST_REPORTS, Math.floor(hours)) : own.below(3, 2);
    return incident.strikes(pool.base()) && incident.began(Scenario.REPORTS, at) ? usual + A_DOZEN : usual;
  }

  /** Percent of the liquidity that is locked; null where nobody knows. */
  @Nullable
  String locked(PoolFacts pool, long at) {
    var own = noise.of(pool.id());
    return own.chance(UNKNOWN, 3) ? null : Decimals.percent(own.between(90, 100, ~day(at)));
  }

  private static long day(long at) {
    return TimeUnit.MILLISECONDS.toDays(at);
  }
}

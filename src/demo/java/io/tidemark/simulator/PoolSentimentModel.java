package io.tidemark.simulator;

import io.tidemark.event.PoolSentiment;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A model of the sentiment about a pool, the number of reports of the pool, and its locked share of liquidity. */
record PoolSentimentModel(StatelessRandom random, MarketSpeed speed, Incident reportsIncident) {
  private static final double SILENT = 0.2;
  private static final double SUSPICIOUS = 0.05;
  private static final double UNKNOWN = 0.4;
  private static final double HOUR = 3_600;
  private static final int MOST_REPORTS = 250;
  private static final int A_DOZEN = 12;

  PoolSentiment sentiment(SimulatedPool pool, long at) {
    var own = random.derive(pool.id());
    if (own.chance(SILENT, 0)) {
      return new PoolSentiment(0.0, 0.0, reports(own, pool, at));
    }
    double positive = AnswerFormats.rounded(own.between(30, 100, day(at)), 2);
    return new PoolSentiment(positive, AnswerFormats.rounded(100 - positive, 2), reports(own, pool, at));
  }

  private double reports(StatelessRandom own, SimulatedPool pool, long at) {
    double hours = (speed.marketSeconds(at) - speed.marketSeconds(pool.created())) / HOUR;
    double usual = own.chance(SUSPICIOUS, 1) ? Math.min(MOST_REPORTS, Math.floor(hours)) : own.intBelow(3, 2);
    return pool.base().isAffectedByIncidents() && reportsIncident.hasBegun(at) ? usual + A_DOZEN : usual;
  }

  /** Returns the percentage of the liquidity that is locked, or null if the percentage is not known. */
  @Nullable
  String locked(SimulatedPool pool, long at) {
    var own = random.derive(pool.id());
    return own.chance(UNKNOWN, 3) ? null : AnswerFormats.percent(own.between(90, 100, ~day(at)));
  }

  private static long day(long at) {
    return TimeUnit.MILLISECONDS.toDays(at);
  }
}

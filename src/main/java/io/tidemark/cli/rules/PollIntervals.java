package io.tidemark.cli.rules;

import io.tidemark.market.Query;
import io.tidemark.poll.PlanLimits;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.SourceSettings;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** How often each target is polled in the long run, computed from the watch list and the limits of the plan. */
final class PollIntervals {

  private static final double MINUTES_A_MONTH = 30 * 24 * 60;
  private static final double LARGEST_STRETCH = 1e6;

  /** A query and the time between two polls of it. */
  record PollInterval(Query<?> query, Duration length) {}

  private PollIntervals() {}

  static List<PollInterval> of(SourceSettings source) {
    var watched = source.watch().targets();
    var stretch = stretch(watched, budget(source.limits()));
    var intervals = new ArrayList<PollInterval>();
    watched.forEach(each -> intervals.add(
        new PollInterval(each.target().query(), Duration.ofMillis((long) (60_000 * minutes(each, stretch))))));
    var yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
    source.watch().histories().forEach(days -> intervals.add(
        new PollInterval(days.target().apply(yesterday).query(), Duration.ofDays(1))));
    return intervals;
  }

  /** In calls per minute. */
  private static double budget(PlanLimits limits) {
    return limits.share() * Math.min(limits.perMinute(), limits.perMonth() / MINUTES_A_MONTH);
  }

  /** The smallest stretch of all periods with which the polls fit the budget. */
  private static double stretch(List<WatchedTarget> watched, double budget) {
    var low = 1.0;
    var high = LARGEST_STRETCH;
    while (callsPerMinute(watched, low) > budget && high - low > low / 1000) {
      var middle = Math.sqrt(low * high);
      if (callsPerMinute(watched, middle) > budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double callsPerMinute(List<WatchedTarget> watched, double stretch) {
    return watched.stream().mapToDouble(each -> each.target().pages() / minutes(each, stretch)).sum();
  }

  private static double minutes(WatchedTarget watched, double stretch) {
    return watched.period().toMillis() / 60_000.0 * Math.max(1, stretch / watched.weight());
  }
}

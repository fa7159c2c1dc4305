package io.tidemark.cli;

import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.market.Query;
import io.tidemark.poll.Limits;
import io.tidemark.poll.Watched;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** How long the looks at each target lie apart in the long run, as far as the plan's limits tell without looking. */
final class Gaps {

  private static final double MINUTES_A_MONTH = 30 * 24 * 60;
  private static final double LARGEST_STRETCH = 1e6;

  /** What is asked, and how long until it is asked again. */
  record Gap(Query<?> query, Duration length) {}

  private Gaps() {}

  static List<Gap> of(SourceSettings source) {
    var watched = source.watch().targets();
    var stretch = stretch(watched, budget(source.limits()));
    var gaps = new ArrayList<Gap>();
    watched.forEach(
        each -> gaps.add(new Gap(each.target().query(), Duration.ofMillis((long) (60_000 * minutes(each, stretch))))));
    var yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);
    source.watch().days()
        .forEach(days -> gaps.add(new Gap(days.target().apply(yesterday).query(), Duration.ofDays(1))));
    return gaps;
  }

  /** Calls a minute. */
  private static double budget(Limits limits) {
    return limits.share() * Math.min(limits.perMinute(), limits.perMonth() / MINUTES_A_MONTH);
  }

  /** The smallest for which all fits the budget. */
  private static double stretch(List<Watched> watched, double budget) {
    var low = 1.0;
    var high = LARGEST_STRETCH;
    while (needed(watched, low) > budget && high - low > low / 1000) {
      var middle = Math.sqrt(low * high);
      if (needed(watched, middle) > budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double needed(List<Watched> watched, double stretch) {
    return watched.stream().mapToDouble(each -> each.target().pages() / minutes(each, stretch)).sum();
  }

  private static double minutes(Watched watched, double stretch) {
    return watched.period().toMillis() / 60_000.0 * Math.max(1, stretch / watched.weight());
  }
}

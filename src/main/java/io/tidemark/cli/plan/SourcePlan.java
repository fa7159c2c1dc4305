package io.tidemark.cli.plan;

import static java.util.Comparator.comparing;

import io.tidemark.poll.ScheduleForecast;
import io.tidemark.poll.ScheduleForecast.TargetForecast;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.SourceSettings;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source, and what its schedule does with its budget.
 *
 * @param newPools new pools an hour that are assumed, by network
 */
record SourcePlan(SourceSettings settings, Map<String, Double> newPools, ScheduleForecast forecast) {

  /** Whether the credits last, each target is polled, and the limit of age is kept. */
  boolean isKept() {
    return problem() == null;
  }

  /** What is not kept, and the nearest that is; null where all is. */
  @Nullable
  String problem() {
    var never = forecast.targets().stream().filter(each -> each.polls() == 0).findFirst();
    if (never.isPresent()) {
      return "%s is not polled at all within %d days; watch less, or use a larger plan".formatted(
          never.get().name(), forecast.length().toDays());
    }
    var usedUp = forecast.usedUpAfter();
    if (usedUp != null && usedUp.compareTo(ScheduleForecast.MONTH.minusDays(1)) < 0) {
      return "the credits are used up after %s".formatted(PlanPrinter.time(usedUp));
    }
    var maxAge = settings.watch().maxAge();
    var longest = forecast.targets().stream().limit(settings.watch().targets().size())
        .max(comparing(TargetForecast::longestGap)).orElse(null);
    return maxAge != null && longest != null && longest.longestGap().compareTo(maxAge.plus(longestPeriod())) > 0
        ? "max-age: %s is not kept: %s is not observed for up to %s; the nearest that is kept is max-age: %dm"
            .formatted(
                PlanPrinter.time(maxAge), longest.name(), PlanPrinter.time(longest.longestGap()),
                longest.longestGap().toMinutes() + 1)
        : null;
  }

  private Duration longestPeriod() {
    return settings.watch().targets().stream().map(WatchedTarget::period).max(Duration::compareTo).orElseThrow();
  }
}

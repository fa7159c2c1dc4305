package io.tidemark.cli.plan;

import static java.util.Comparator.comparing;

import io.tidemark.capture.poll.ScheduleForecast;
import io.tidemark.capture.poll.ScheduleForecast.TargetForecast;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.print.TerminalText;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source, and the forecast of its schedule under its budget.
 *
 * @param newPools assumed number of new pools an hour, by network; other networks have default numbers
 * @param problem the first limit that is not kept, and advice; null if all limits are kept
 */
public record SourcePlan(
    SourceSettings settings, Map<String, Double> newPools, ScheduleForecast forecast, @Nullable String problem) {

  /**
   * Fraction by which the time between two observations may exceed {@code max-age} without a problem, since a poll may
   * wait for its permit.
   */
  private static final double TOLERANCE = 0.02;
  /** Maximum number of values of {@code max-age} that are tried to find a value that the schedule keeps. */
  private static final int MOST_TRIED = 8;

  public static SourcePlan of(SourceSettings settings, Map<String, Double> newPools) {
    var forecast = ScheduleForecast.of(settings.watch(), settings.limits(), newPools);
    return new SourcePlan(settings, newPools, forecast, problem(settings, newPools, forecast));
  }

  /**
   * Returns whether the credits last for the month except its last day, each target is polled, and {@code max-age} is
   * kept.
   */
  boolean isKept() {
    return problem == null;
  }

  private static @Nullable String problem(
      SourceSettings settings, Map<String, Double> newPools, ScheduleForecast forecast) {
    var never = forecast.targets().stream().filter(each -> each.polls() == 0).findFirst();
    if (never.isPresent()) {
      return "%s is not polled at all within %d days; watch less, or use a larger plan".formatted(
          never.get().name(), forecast.length().toDays());
    }
    var usedUp = forecast.usedUpAfter();
    if (usedUp != null && usedUp.compareTo(ScheduleForecast.MONTH.minusDays(1)) < 0) {
      return "the credits are used up after %s".formatted(TerminalText.duration(usedUp));
    }
    var maxAge = settings.watch().maxAge();
    var stalest = stalest(settings, forecast);
    if (maxAge == null || stalest == null || keeps(maxAge, stalest)) {
      return null;
    }
    var nearest = nearestMaxAge(settings, newPools, stalest);
    return "max-age: %s is not kept, because %s is not observed for up to %s; %s".formatted(
        TerminalText.duration(maxAge), stalest.name(), TerminalText.duration(stalest.longestGap()),
        nearest == null ? "watch less, or use a larger plan"
            : "max-age: %dm is kept".formatted(nearest.toMinutes()));
  }

  private static boolean keeps(Duration maxAge, TargetForecast stalest) {
    return stalest.longestGap().toMillis() <= (1 + TOLERANCE) * maxAge.toMillis();
  }

  /** Returns the target of the watch list that is not observed for the longest time, or null if there is no target. */
  private static @Nullable TargetForecast stalest(SourceSettings settings, ScheduleForecast forecast) {
    return forecast.targets().stream().limit(settings.watch().targets().size())
        .max(comparing(TargetForecast::longestGap)).orElse(null);
  }

  /** Returns a {@code max-age} that the schedule keeps, in whole minutes, or null if none was found. */
  private static @Nullable Duration nearestMaxAge(
      SourceSettings settings, Map<String, Double> newPools, TargetForecast stalest) {
    var longest = stalest.longestGap();
    for (int k = 0; k < MOST_TRIED; k++) {
      var tried = Duration.ofMinutes(longest.toMinutes() + 1);
      var forecast = ScheduleForecast.of(settings.watch().withMaxAge(tried), settings.limits(), newPools);
      var target = stalest(settings, forecast);
      if (target == null || keeps(tried, target)) {
        return tried;
      }
      longest = target.longestGap().compareTo(tried) > 0 ? target.longestGap() : tried;
    }
    return null;
  }
}

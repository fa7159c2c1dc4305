package io.tidemark.capture.source;

import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rules and limits for adding targets to the watch list of a source while the source runs. A target that is no
 * longer watched is forgotten at the earliest when {@code evict-after} has passed since the last attempt to poll it.
 * The time of this attempt is committed, so that a failover does not change when the target is forgotten.
 *
 * @param follow rules that add pools after they enter a list
 * @param maxRound maximum time that a round of the watch list may take
 * @param reader returns the target that a command adds, from the name and the {@link AddedTarget#text} of the command.
 *     Throws an exception with a message for people if they describe no target
 */
public record WatchAdditions(
    List<FollowRule> follow, Duration maxRound, BiFunction<String, String, AddedTarget> reader) {

  /**
   * Minimum ratio of {@code max-age} to the time of one round of the watch list. The difference leaves calls for
   * polling valuable targets more often.
   */
  public static final double ROUNDS_OF_MAX_AGE = 1.3;

  /** Returns why added targets are not watched, by the target's name. The budget takes the targets in the given order. */
  Map<String, String> refusals(WatchList configured, List<WatchedTarget> added, PlanLimits limits) {
    var refusals = new LinkedHashMap<String, String>();
    var calls = 0;
    for (var each : added) {
      var target = each.target();
      var refusal = refusal(configured, calls + target.pages(), limits);
      if (refusal == null) {
        calls += target.pages();
      } else {
        refusals.put(target.name(), refusal);
      }
    }
    return refusals;
  }

  /**
   * Returns why the budget does not suffice for added targets that take {@code addedCalls} calls in each round, or null
   * if the budget suffices. One round must fit into {@code maxRound} and keep {@code max-age}.
   */
  public @Nullable String refusal(WatchList configured, int addedCalls, PlanLimits limits) {
    var own = configured.pages();
    var perMinute = limits.sustainedPerMinute();
    var maxAge = configured.maxAge();
    var longest = maxAge != null && maxAge.toMillis() < ROUNDS_OF_MAX_AGE * maxRound.toMillis() ? maxAge : maxRound;
    var byAge = longest.equals(maxAge);
    var most = (long) (longest.toMillis() / (byAge ? ROUNDS_OF_MAX_AGE : 1) / 60_000 * perMinute);
    if (own + addedCalls <= most) {
      return null;
    }
    return ("over budget: with this target, one round of the watch list takes %d calls, but only %d calls fit %s"
        + " (%d minutes) at the %.2f calls a minute that the budget sustains. The configured targets leave %d calls for"
        + " added targets")
        .formatted(own + addedCalls, most, byAge ? ROUNDS_OF_MAX_AGE + " times into max-age" : "into max-round",
            longest.toMinutes(), perMinute, Math.max(0, most - own));
  }
}

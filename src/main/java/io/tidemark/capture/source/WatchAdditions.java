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
   * if the budget suffices.
   */
  public @Nullable String refusal(WatchList configured, int addedCalls, PlanLimits limits) {
    var own = configured.pages();
    var perMinute = limits.sustainedPerMinute();
    var most = (long) (maxRound.toMillis() / 60_000.0 * perMinute);
    if (own + addedCalls <= most) {
      return null;
    }
    return ("over budget: with this target, one round of the watch list takes %d calls, but only %d calls fit into"
        + " max-round (%d minutes) at the %.2f calls a minute that the budget sustains. The configured targets leave"
        + " %d calls for added targets")
        .formatted(own + addedCalls, most, maxRound.toMinutes(), perMinute, Math.max(0, most - own));
  }
}

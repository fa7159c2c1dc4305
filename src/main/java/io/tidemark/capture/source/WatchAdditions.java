package io.tidemark.capture.source;

import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.WatchList;
import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rules and limits for adding targets to the watch list of a source while it runs.
 *
 * @param follow rules that add pools after they enter a list
 * @param maxRound maximum time that a round of the watch list may take
 * @param reader reader of the commands that add targets
 * @param poolTarget returns the name of a pool's target from its network and address
 */
public record WatchAdditions(
    List<FollowRule> follow, Duration maxRound, AddedTarget.Reader reader, BinaryOperator<String> poolTarget) {

  public WatchAdditions {
    follow = List.copyOf(follow);
  }

  /** Returns why targets that take a number of calls cannot be added to the watch list, or null if they can. */
  public @Nullable String refusal(WatchList configured, int addedCalls, PlanLimits limits) {
    var own = configured.targets().stream().mapToInt(each -> each.target().pages()).sum();
    var perMinute = limits.sustainedPerMinute();
    var most = (long) (maxRound.toMillis() / 60_000.0 * perMinute);
    if (own + addedCalls <= most) {
      return null;
    }
    return ("over budget: with it, one round of the watch list takes %d calls, but only %d fit into max-round (%d"
        + " minutes) at the %.2f calls a minute that the budget sustains. The configuration leaves %d for additions")
        .formatted(own + addedCalls, most, maxRound.toMinutes(), perMinute, Math.max(0, most - own));
  }
}

package io.tidemark.source;

import io.tidemark.market.Query;
import io.tidemark.poll.PlanLimits;
import io.tidemark.poll.WatchList;
import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What may be added to the watch list of a source while it runs.
 *
 * @param follow rules that add pools which enter a list
 * @param maxRound how long a round of the watch list may take at most
 * @param reader of the commands that add targets
 * @param poolTarget names the target of a pool by its network and address
 * @param day the day of a coin that the target of a name asks for; null where it asks for something else
 */
public record WatchAdditions(
    List<FollowRule> follow, Duration maxRound, AddedTarget.Reader reader, BinaryOperator<String> poolTarget,
    Function<String, Query.@Nullable CoinHistory> day) {

  public WatchAdditions {
    follow = List.copyOf(follow);
  }

  /** Why targets of so many calls cannot be added to the watch list; null where they can. */
  public @Nullable String refusal(WatchList configured, int addedCalls, PlanLimits limits) {
    var own = configured.targets().stream().mapToInt(each -> each.target().pages()).sum();
    var perMinute = limits.sustainedPerMinute();
    var most = (long) (maxRound.toMillis() / 60_000.0 * perMinute);
    if (own + addedCalls <= most) {
      return null;
    }
    return ("over budget: with it, one round of the watch list takes %d calls. %d fit into max-round (%d minutes) at the"
        + " %.2f calls a minute that the budget allows all the time, %d of them besides the configuration")
        .formatted(own + addedCalls, most, maxRound.toMinutes(), perMinute, Math.max(0, most - own));
  }
}

package io.tidemark.cli;

import io.tidemark.web.Health.Condition;
import io.tidemark.web.Health.Part;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a receiver of a source's alerts is served in this process.
 *
 * @param trouble why it is not; null where it is
 */
record ReceiverPulse(String source, String receiver, Supplier<@Nullable String> trouble) {

  /** It begins again by itself: starting the program anew does no more. */
  Part live() {
    return part(Condition.UP, trouble.get());
  }

  Part ready() {
    var why = trouble.get();
    return part(why == null ? Condition.UP : Condition.DEGRADED, why);
  }

  private Part part(Condition condition, @Nullable String why) {
    return new Part("receiver " + receiver + " of " + source, condition,
        why == null ? "at work" : "begins again: " + why);
  }
}

package io.tidemark.capture.source;

import io.tidemark.capture.poll.WatchList.WatchedTarget;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A target that a command added to the watch list of a source.
 *
 * @param until time from which the target is no longer watched; null if the target is watched without an end
 */
public record AddedTarget(WatchedTarget watched, @Nullable Instant until) {

  /**
   * Kind of the commands in the topic {@code watch} that add or remove a target. The name of such a command is the
   * target's name.
   */
  public static final String KIND = "target";

  /** Returns the text of a command that adds a target, as YAML. */
  public static String text(int pages, double weight, @Nullable Instant until) {
    return String.format(Locale.ROOT, "{ pages: %d, weight: %s%s }", pages, weight,
        until == null ? "" : ", until: \"" + until + "\"");
  }

  /** Returns whether the target is still watched at a time. */
  public boolean isWatched(Instant at) {
    return until == null || at.isBefore(until);
  }
}

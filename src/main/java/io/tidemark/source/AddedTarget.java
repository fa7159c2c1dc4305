package io.tidemark.source;

import io.tidemark.poll.WatchList.WatchedTarget;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A target that a command added to the watch list of a source.
 *
 * @param until when it is not watched any more; null where that is not known
 */
public record AddedTarget(WatchedTarget watched, @Nullable Instant until) {

  /** Kind of the commands of the topic {@code watch} that add or remove a target; their name is the target's. */
  public static final String KIND = "target";

  /** Reads a command. */
  @FunctionalInterface
  public interface Reader {

    /**
     * The target of a command.
     *
     * @param text as {@link #text} writes it
     * @throws RuntimeException where it is none, with a message for people
     */
    AddedTarget read(String name, String text);
  }

  /** The text of a command, as YAML. */
  public static String text(int pages, double weight, @Nullable Instant until) {
    return String.format(Locale.ROOT, "{ pages: %d, weight: %s%s }", pages, weight,
        until == null ? "" : ", until: \"" + until + "\"");
  }

  /** Whether it is still watched then. */
  public boolean isWatched(Instant at) {
    return until == null || at.isBefore(until);
  }
}

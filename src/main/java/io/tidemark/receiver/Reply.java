package io.tidemark.receiver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a message. */
sealed interface Reply {

  record Delivered() implements Reply {}

  /**
   * Not now.
   *
   * @param after what the receiver asks for; null where it says nothing
   */
  record Later(String why, @Nullable Duration after) implements Reply {}

  /** Never: the same message would be refused again. */
  record Refused(String why) implements Reply {}
}

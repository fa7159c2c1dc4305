package io.tidemark.topic;

import org.jspecify.annotations.Nullable;

/** Topics of the cluster that cannot be used, or cannot be made: says which, why, and the way out. */
public final class TopicSetupFailure extends RuntimeException {
  TopicSetupFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

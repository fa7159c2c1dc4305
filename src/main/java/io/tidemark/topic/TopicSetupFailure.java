package io.tidemark.topic;

import org.jspecify.annotations.Nullable;

/** Topics of the cluster that cannot be used or created. The message says which, why, and what to do. */
public final class TopicSetupFailure extends RuntimeException {
  TopicSetupFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

package io.tidemark.receiver;

import java.time.Instant;

/** How a receiver wants to be told. */
public interface Format {

  /** The message that tells it; the same but for its time at every attempt. */
  Post post(Notice notice, Instant now);
}

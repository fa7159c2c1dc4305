package io.tidemark.http;

import java.nio.ByteBuffer;
import java.time.Instant;

/** Every body ever served, so that what was made of them can be held against them. */
public interface Journal {
  void served(Served served);

  /** Keeps nothing. */
  static Journal none() {
    return served -> {};
  }

  /**
   * One body going out.
   *
   * @param id the answer's {@code x-request-id}: the same for each serving of one cached body
   * @param url path and query as asked
   * @param filledAt when its content was true
   */
  record Served(String id, String url, int status, Instant filledAt, Instant servedAt, ByteBuffer body) {}
}

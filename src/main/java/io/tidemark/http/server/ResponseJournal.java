package io.tidemark.http.server;

import java.nio.ByteBuffer;
import java.time.Instant;

/** Every body ever served, so that what was made of them can be held against them. */
public interface ResponseJournal {
  void append(ServedResponse served);

  /** Keeps nothing. */
  static ResponseJournal none() {
    return served -> {};
  }

  /**
   * One body going out.
   *
   * @param id the answer's {@code x-request-id}: the same for each serving of one cached body
   * @param url path and query as asked
   * @param filledAt when its content was true
   */
  record ServedResponse(String id, String url, int status, Instant filledAt, Instant servedAt, ByteBuffer body) {}
}

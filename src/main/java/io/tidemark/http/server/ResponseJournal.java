package io.tidemark.http.server;

import java.nio.ByteBuffer;
import java.time.Instant;

/** A record of every response: what clients made of the responses can be checked against it. */
public interface ResponseJournal {
  void append(ServedResponse response);

  /** Records nothing. */
  static ResponseJournal none() {
    return response -> {};
  }

  /**
   * One response.
   *
   * @param id the {@code x-request-id}: the same for all responses from one cached body
   * @param url path and query of the request
   * @param filledAt when its content was true
   */
  record ServedResponse(String id, String url, int status, Instant filledAt, Instant servedAt, ByteBuffer body) {}
}

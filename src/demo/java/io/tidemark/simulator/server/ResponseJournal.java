package io.tidemark.simulator.server;

import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * A journal of every response that {@link SimulatedRoutes#apply} makes, written before the response is sent. Data that
 * clients derive from the responses can be checked against it.
 */
public interface ResponseJournal {
  void append(ServedResponse response);

  /** Returns a journal that records nothing. */
  static ResponseJournal none() {
    return response -> {};
  }

  /**
   * One response. If the client gets a 304 instead, because it has the body already, the status and the body are
   * still those of the whole response.
   *
   * @param id the {@code x-request-id}, which is the same for all responses from one cached body
   * @param url path and query of the request
   * @param filledAt when the content was current
   */
  record ServedResponse(String id, String url, int status, Instant filledAt, Instant servedAt, ByteBuffer body) {}
}

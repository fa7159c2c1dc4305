package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads and writes the answers of one operation. Their form depends on the query. */
interface AnswerCodec<Q, A> {
  /**
   * Reads the answer from a body. Modifies the body.
   *
   * @throws MalformedAnswerException if the body is not as the interface document describes it
   */
  A read(Q query, JsonNode body);

  /** Returns whether a member of the outermost object is read. */
  default boolean reads(String member) {
    return true;
  }

  JsonNode write(Q query, A answer, FieldNaming naming);
}

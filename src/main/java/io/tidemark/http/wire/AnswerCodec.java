package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;

/** A codec that reads and writes the answers of one operation. The form of an answer depends on the query. */
interface AnswerCodec<Q, A> {
  /**
   * Reads the answer from a body. Modifies the body.
   *
   * @throws MalformedAnswerException if the body is not as the interface document describes it
   */
  A read(Q query, JsonNode body);

  /** Returns whether the member with the given name is read from the outermost object. Other members are skipped. */
  default boolean reads(String member) {
    return true;
  }

  JsonNode write(Q query, A answer, FieldNaming naming);
}

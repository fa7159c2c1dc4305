package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads and writes the answer of one operation, which depends on the query. */
interface AnswerCodec<Q, A> {
  /**
   * The answer in a body, which is used up.
   *
   * @throws MalformedAnswerException if the body is not as the document describes it
   */
  A read(Q query, JsonNode body);

  /** Whether a member of the outermost object is read. */
  default boolean reads(String member) {
    return true;
  }

  JsonNode write(Q query, A answer, FieldNaming naming);
}

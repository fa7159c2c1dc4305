package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Reads, writes and describes the answer of one operation. Reading and writing depend on the query. */
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

  /** The JSON Schema of what is written. */
  ObjectNode schema(AnswerSchemas schemas);
}

package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Reads, writes and describes the answer of one operation. Reading and writing depend on the query. */
interface AnswerCodec<Q, A> {
  /** The answer at the parser's position. */
  A read(Q query, JsonParser in) throws IOException;

  JsonValue write(Q query, A answer, FieldNaming naming);

  /** The JSON Schema of what is written. */
  ObjectNode schema(AnswerSchemas schemas);
}

package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads and writes the answer of one operation. Both depend on the query. */
interface AnswerCodec<Q, A> {
  /** The answer at the parser's position. */
  A read(Q query, JsonParser in) throws IOException;

  JsonValue write(Q query, A answer, FieldNaming naming);
}

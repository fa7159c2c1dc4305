package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** How an operation's answer is read and written; reading and writing know what was asked. */
interface AnswerCodec<Q, A> {
  /** The answer that a parser stands on. */
  A read(Q query, JsonParser in) throws IOException;

  JsonValue write(Q query, A answer, FieldNaming names);
}

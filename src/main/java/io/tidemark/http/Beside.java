package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.apache.avro.specific.SpecificRecord;

/** What nobody documented beside the resources of an answer: each of them keeps it, as {@code answer}. */
record Beside(JsonObject members) {
  private static final String ANSWER = "answer";

  Beside() {
    this(JsonObject.sorted());
  }

  /** What a resource kept, taken out of its written form; empty where it kept nothing. */
  static Beside takenFrom(JsonObject written) {
    return written.at(ANSWER) instanceof JsonObject && written.take(ANSWER) instanceof JsonObject members
        ? new Beside(members)
        : new Beside();
  }

  void read(String name, JsonParser in) throws IOException {
    members.put(name, JsonValue.read(in));
  }

  void keep(String name, JsonValue value) {
    members.put(name, value);
  }

  <R extends SpecificRecord> Found<R> keptIn(Found<R> found) {
    if (!members.isEmpty()) {
      found.extra().fill(JsonObject.at(members, ANSWER));
    }
    return found;
  }

  JsonObject into(JsonObject answer) {
    members.forEach(answer::put);
    return answer;
  }
}

package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.apache.avro.specific.SpecificRecord;

/** What nobody documented beside the resources of an answer: each of them keeps it, as {@code answer}. */
record UndocumentedMembers(JsonObject members) {
  private static final String ANSWER = "answer";

  UndocumentedMembers() {
    this(JsonObject.sorted());
  }

  /** What a resource kept, taken out of its written form; empty where it kept nothing. */
  static UndocumentedMembers detachFrom(JsonObject written) {
    return written.at(ANSWER) instanceof JsonObject && written.remove(ANSWER) instanceof JsonObject members
        ? new UndocumentedMembers(members)
        : new UndocumentedMembers();
  }

  void read(String name, JsonParser in) throws IOException {
    members.put(name, JsonValue.read(in));
  }

  void add(String name, JsonValue value) {
    members.put(name, value);
  }

  <R extends SpecificRecord> DecodedResource<R> attachTo(DecodedResource<R> found) {
    if (!members.isEmpty()) {
      found.extra().fill(JsonObject.at(members, ANSWER));
    }
    return found;
  }

  JsonObject addTo(JsonObject answer) {
    members.forEach(answer::put);
    return answer;
  }
}

package io.tidemark.http.wire;

import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import org.apache.avro.specific.SpecificRecord;

/** Undocumented members of an answer that belong to none of its resources. Each resource carries them, as {@code answer}. */
record UndocumentedMembers(JsonObject members) {
  private static final String ANSWER = "answer";

  UndocumentedMembers() {
    this(JsonObject.sorted());
  }

  /** Removes from the JSON of a resource what it carries; empty where it carries nothing. */
  static UndocumentedMembers detachFrom(JsonObject resource) {
    return resource.at(ANSWER) instanceof JsonObject && resource.remove(ANSWER) instanceof JsonObject members
        ? new UndocumentedMembers(members)
        : new UndocumentedMembers();
  }

  void add(String name, JsonValue value) {
    members.put(name, value);
  }

  <R extends SpecificRecord> DecodedResource<R> attachTo(DecodedResource<R> resource) {
    if (!members.isEmpty()) {
      resource.extra().fill(JsonObject.at(members, ANSWER));
    }
    return resource;
  }

  JsonObject addTo(JsonObject answer) {
    members.forEach(answer::put);
    return answer;
  }
}

package io.tidemark.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;

/**
 * The whole text of a schema in one form: documentation, properties and defaults included, members sorted, no white
 * space. It does not depend on the order in which a library writes members.
 */
record CanonicalSchema(String json) {

  private static final ObjectMapper SORTED =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

  static CanonicalSchema of(Schema schema) {
    try {
      return new CanonicalSchema(SORTED.writeValueAsString(SORTED.readValue(schema.toString(), Object.class)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the text of a schema is not JSON: " + schema.getFullName(), e);
    }
  }

  /** The first 31 bits of its SHA-256. */
  int id() {
    return ByteBuffer.wrap(Hashing.sha256().hashString(json, StandardCharsets.UTF_8).asBytes()).getInt() >>> 1;
  }
}

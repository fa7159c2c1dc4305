package io.tidemark.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.tidemark.event.Sha256;
import org.apache.avro.Schema;

/**
 * The whole text of a schema in one form: documentation, properties and defaults included, members sorted, no white
 * space. It does not depend on the order in which a library writes members.
 */
record CanonicalSchema(String json) {

  private static final ObjectMapper SORTED =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

  private static final int ID_DIGITS = 8;

  /** By identity, and not by Avro's equality, which ignores documentation: the digest includes it. */
  private static final LoadingCache<Schema, String> DIGESTS =
      Caffeine.newBuilder().weakKeys().build(schema -> Sha256.hex(of(schema).json()));

  static CanonicalSchema of(Schema schema) {
    try {
      return new CanonicalSchema(SORTED.writeValueAsString(SORTED.readValue(schema.toString(), Object.class)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the text of a schema is not JSON: " + schema.getFullName(), e);
    }
  }

  /** The SHA-256 of the text that a schema has in this form, in hexadecimal digits. */
  static String digest(Schema schema) {
    return DIGESTS.get(schema);
  }

  /** The first 31 bits of a digest. */
  static int id(String digest) {
    return Integer.parseUnsignedInt(digest, 0, ID_DIGITS, 16) >>> 1;
  }
}

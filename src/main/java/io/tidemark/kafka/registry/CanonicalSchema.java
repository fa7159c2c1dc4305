package io.tidemark.kafka.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.tidemark.event.Sha256;
import org.apache.avro.Schema;

/**
 * The complete text of a schema in one canonical form: with documentation, properties and defaults, with the members of
 * JSON objects sorted, and without white space. This text does not depend on the order in which a library writes
 * members.
 */
record CanonicalSchema(String json) {

  private static final ObjectMapper SORTED =
      new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

  private static final int ID_DIGITS = 8;

  /** Digests by schema instance. Avro's equality of schemas ignores documentation, which a digest includes. */
  private static final LoadingCache<Schema, String> DIGESTS =
      Caffeine.newBuilder().weakKeys().build(schema -> Sha256.hex(of(schema).json()));

  static CanonicalSchema of(Schema schema) {
    try {
      return new CanonicalSchema(SORTED.writeValueAsString(SORTED.readValue(schema.toString(), Object.class)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the text of a schema is not JSON: " + schema.getFullName(), e);
    }
  }

  static String digest(Schema schema) {
    return DIGESTS.get(schema);
  }

  /** Returns the id of the schema with the given digest: the first 31 bits of the digest. */
  static int id(String digest) {
    return Integer.parseUnsignedInt(digest, 0, ID_DIGITS, 16) >>> 1;
  }
}

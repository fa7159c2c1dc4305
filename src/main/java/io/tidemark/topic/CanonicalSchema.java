package io.tidemark.topic;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.hash.HashCode;
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

  /** By identity, and not by Avro's equality, which ignores documentation: the digest includes it. */
  private static final LoadingCache<Schema, HashCode> DIGESTS =
      CacheBuilder.newBuilder().weakKeys().build(CacheLoader.from(schema -> of(schema).digest()));

  static CanonicalSchema of(Schema schema) {
    try {
      return new CanonicalSchema(SORTED.writeValueAsString(SORTED.readValue(schema.toString(), Object.class)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the text of a schema is not JSON: " + schema.getFullName(), e);
    }
  }

  /** The SHA-256 of the text that a schema has in this form. */
  static HashCode digest(Schema schema) {
    return DIGESTS.getUnchecked(schema);
  }

  /** The first 31 bits of a digest. */
  static int id(HashCode digest) {
    return ByteBuffer.wrap(digest.asBytes()).getInt() >>> 1;
  }

  private HashCode digest() {
    return Hashing.sha256().hashString(json, StandardCharsets.UTF_8);
  }
}

package io.tidemark.change;

import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one resource.
 *
 * @param resource its kind, the first word of its topics: {@code pool}, {@code coin-day}, ...
 * @param key key of its records
 * @param change null where nothing is published
 * @param state what is known now; null where the resource is evicted
 */
public record ResourceUpdate(
    String resource, String key, @Nullable SpecificRecord change, @Nullable SpecificRecord state) {}

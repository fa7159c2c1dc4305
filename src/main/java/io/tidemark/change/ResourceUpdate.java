package io.tidemark.change;

import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What one sweep did to one resource.
 *
 * @param resource kind of the resource as the schemas name it: {@code pool}, {@code coin-day}, ...; the first word of
 *     its topics
 * @param key key of its records
 * @param change the event; null where nothing was worth one
 * @param state what is known now; null where the resource is forgotten
 */
public record ResourceUpdate(String resource, String key, @Nullable SpecificRecord change,
    @Nullable SpecificRecord state) {}

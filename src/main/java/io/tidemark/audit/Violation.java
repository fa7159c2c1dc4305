package io.tidemark.audit;

/**
 * A law broken at one place.
 *
 * @param key of the record; empty where it has none
 * @param where the part of the record
 */
public record Violation(
    Law law, String topic, int partition, long offset, String key, String where, String expected, String found) {}

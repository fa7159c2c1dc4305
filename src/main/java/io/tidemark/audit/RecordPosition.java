package io.tidemark.audit;

/**
 * Where something is wrong.
 *
 * @param key empty where the record has none
 */
public record RecordPosition(String topic, int partition, long offset, String key) {}

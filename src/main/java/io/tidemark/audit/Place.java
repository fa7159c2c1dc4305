package io.tidemark.audit;

/**
 * Where something is wrong.
 *
 * @param key empty where the record has none
 */
record Place(String topic, int partition, long offset, String key) {}

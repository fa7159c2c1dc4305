package io.tidemark.audit;

import java.time.Instant;

/**
 * A transaction that is neither committed nor aborted: readers of what is committed do not get past it.
 *
 * @param offset of its first record in the partition
 * @param newest time of its newest record there
 * @param producer by the names that Kafka's own tools want
 */
public record OpenTransaction(String topic, int partition, long offset, Instant newest, String producer) {}

package io.tidemark.kafka;

import org.apache.avro.specific.SpecificRecord;

/**
 * The two topics of a kind of resource: one of its changes and one of its newest state. Both have the same keys.
 *
 * @param resource name of the kind, such as {@code coin-day}, with which both topic names begin after the prefix
 */
public record ResourceTopics<C extends SpecificRecord, S extends SpecificRecord>(
    String resource, Topic<C> changes, Topic<S> state) {}

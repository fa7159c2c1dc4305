package io.tidemark.kafka;

import org.apache.avro.specific.SpecificRecord;

/**
 * The two topics of a kind of resource, such as pools: one for the changes and one for the newest states. A resource
 * has the same key in both topics.
 *
 * @param resource name of the kind, such as {@code coin-day}; both topic names begin with this name after the prefix
 */
public record ResourceTopics<C extends SpecificRecord, S extends SpecificRecord>(
    String resource, Topic<C> changes, Topic<S> state) {}

package io.tidemark.kafka;

import org.apache.avro.specific.SpecificRecord;

/**
 * The two topics of a kind of resource: one of the changes of resources and one of their newest states. A resource
 * has the same key in both topics.
 *
 * @param resource name of the kind, such as {@code coin-day}; both topic names begin with this name after the prefix
 */
public record ResourceTopics<C extends SpecificRecord, S extends SpecificRecord>(
    String resource, Topic<C> changes, Topic<S> state) {}

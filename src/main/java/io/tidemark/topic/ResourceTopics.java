package io.tidemark.topic;

import org.apache.avro.specific.SpecificRecord;

/**
 * The two topics of a resource: what changed of it, and what is known of it now. Both have the same key.
 *
 * @param resource its kind as the schemas name it, the first word of both topics
 */
public record ResourceTopics<C extends SpecificRecord, S extends SpecificRecord>(
    String resource, Topic<C> changes, Topic<S> state) {}

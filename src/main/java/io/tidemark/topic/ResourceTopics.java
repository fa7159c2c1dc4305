package io.tidemark.topic;

import org.apache.avro.specific.SpecificRecord;

/**
 * The two topics of a kind of resource: its changes, and its newest state. Both have the same key.
 *
 * @param resource such as {@code coin-day}: how both names begin
 */
public record ResourceTopics<C extends SpecificRecord, S extends SpecificRecord>(
    String resource, Topic<C> changes, Topic<S> state) {}

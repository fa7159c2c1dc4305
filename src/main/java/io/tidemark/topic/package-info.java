/**
 * What is in Kafka: topics as typed values, serdes and the schema registry; imports {@code event} only.
 */
@NullMarked
package io.tidemark.topic;

import org.jspecify.annotations.NullMarked;

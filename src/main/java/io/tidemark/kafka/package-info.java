/**
 * Kafka topics with typed values: their creation, their serdes, and the reader of committed records. Imports
 * {@code event} and {@code kafka.registry} only.
 */
@NullMarked
package io.tidemark.kafka;

import org.jspecify.annotations.NullMarked;

/**
 * Kafka topics with typed values: their creation, their serdes, the reader of committed records, and the traces in
 * headers. Imports {@code event} and {@code kafka.registry} only.
 */
@NullMarked
package io.tidemark.kafka;

import org.jspecify.annotations.NullMarked;

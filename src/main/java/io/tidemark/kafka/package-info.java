/**
 * Kafka topics as typed values, with their creation, serdes, the schema registry, and the reader of committed
 * records. Imports {@code event} only.
 */
@NullMarked
package io.tidemark.kafka;

import org.jspecify.annotations.NullMarked;

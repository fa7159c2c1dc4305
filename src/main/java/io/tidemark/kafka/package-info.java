/**
 * Kafka topics with typed values: their creation, their serdes, the schema registries, and the reader of committed
 * records. Imports {@code event} only.
 */
@NullMarked
package io.tidemark.kafka;

import org.jspecify.annotations.NullMarked;

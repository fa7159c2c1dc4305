/**
 * The Kafka Streams topology that turns changes into alerts and aggregates; imports {@code topic}, {@code event} and
 * {@code rule} only, never {@code market}.
 */
@NullMarked
package io.tidemark.stream;

import org.jspecify.annotations.NullMarked;

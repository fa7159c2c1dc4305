/**
 * The aggregates, each one function from streams to streams; imports {@code topic}, {@code event} and {@code rule}
 * only.
 */
@NullMarked
package io.tidemark.stream.aggregate;

import org.jspecify.annotations.NullMarked;

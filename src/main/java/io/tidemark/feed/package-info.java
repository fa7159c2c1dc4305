/**
 * The live feeds of a source: readers of a topic share one consumer and its newest records; who starts earlier reads
 * with a consumer of a bounded pool until it has reached them. Imports {@code topic}, {@code rule} for filters, {@code
 * event}, and {@code yaml} for the form of durations.
 */
@NullMarked
package io.tidemark.feed;

import org.jspecify.annotations.NullMarked;

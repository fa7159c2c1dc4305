/**
 * The Kafka Streams application of a source: {@code TidemarkTopology} defines it, {@code StreamApplication} runs it,
 * and {@code Backtest} runs it over recorded topics. Imports its sub-packages, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream;

import org.jspecify.annotations.NullMarked;

/**
 * The Kafka Streams application of a source: {@code TidemarkTopology} is its table of contents, {@code StreamApplication}
 * runs it, {@code Backtest} runs it over recorded topics. Imports its sub-packages, {@code topic} and {@code event}.
 */
@NullMarked
package io.tidemark.stream;

import org.jspecify.annotations.NullMarked;

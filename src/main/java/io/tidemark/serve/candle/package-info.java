/**
 * The candles of one resource, newest first to be known and read further back from Kafka on request. Imports records
 * and readers of Kafka, and shares the slots of feeds for dedicated consumers.
 */
@NullMarked
package io.tidemark.serve.candle;

import org.jspecify.annotations.NullMarked;

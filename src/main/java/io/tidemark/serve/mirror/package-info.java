/**
 * The market data interface, answered from Kafka. {@code Mirror} is a market that answers from the newest states of a
 * source. {@code MirrorReader} follows the topics. Imports {@code market}, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.serve.mirror;

import org.jspecify.annotations.NullMarked;

/**
 * The port to a market data service and its types: {@code MarketData}, queries, answers, observations, snapshots. The
 * package does no I/O. Imports {@code event}.
 */
@NullMarked
package io.tidemark.market;

import org.jspecify.annotations.NullMarked;

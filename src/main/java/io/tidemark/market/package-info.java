/** The port to a market data service and its language: queries, answers, sweeps. No I/O; imports {@code event} only. */
@NullMarked
package io.tidemark.market;

import org.jspecify.annotations.NullMarked;

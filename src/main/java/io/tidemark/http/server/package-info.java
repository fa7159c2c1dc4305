/**
 * A server of the market data interface over any market: routes, replies, the cache of an edge, the journal of responses.
 * Imports {@code http.wire} and {@code market}.
 */
@NullMarked
package io.tidemark.http.server;

import org.jspecify.annotations.NullMarked;

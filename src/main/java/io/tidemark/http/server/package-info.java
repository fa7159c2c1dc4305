/**
 * A server of the market data interface over any market: routes, replies, the caches of an edge and of a mirror, the journal of responses.
 * Imports {@code http.wire}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.http.server;

import org.jspecify.annotations.NullMarked;

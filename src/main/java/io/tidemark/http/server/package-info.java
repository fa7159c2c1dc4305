/**
 * The market data interface as routes for an HTTP server, over any market: replies, the calls of keys, the limits of
 * connections, the journal of responses. Imports {@code http.wire}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.http.server;

import org.jspecify.annotations.NullMarked;

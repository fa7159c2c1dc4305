/**
 * The market data interface as routes for an HTTP server, on top of any market: responses, and limits on connections.
 * Imports {@code http.wire}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.http.server;

import org.jspecify.annotations.NullMarked;

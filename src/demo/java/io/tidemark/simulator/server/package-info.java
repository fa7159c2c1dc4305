/**
 * The server of a simulated service: an HTTP server for the routes of a market, behind an edge cache, with a journal of
 * its responses in a file. Imports {@code http.server}, {@code http.wire} and {@code market}.
 */
@NullMarked
package io.tidemark.simulator.server;

import org.jspecify.annotations.NullMarked;

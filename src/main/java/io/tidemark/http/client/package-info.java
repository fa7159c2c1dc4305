/**
 * The client for the market data interface: connections, time limits, retries, and the classification of failures.
 * Imports {@code http.wire}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.http.client;

import org.jspecify.annotations.NullMarked;

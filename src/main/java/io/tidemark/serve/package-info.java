/**
 * The part of Tidemark that serves the content of the topics over HTTP: {@code mirror} answers the queries of the
 * market data interface, {@code feed} follows topics, {@code candle} reads candles back, {@code access} decides who may
 * read, and {@code web} has the routes and the page.
 */
@NullMarked
package io.tidemark.serve;

import org.jspecify.annotations.NullMarked;

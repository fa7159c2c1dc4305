/**
 * HTTP for people, for operators, for readers of feeds, and for clients of the schema registry: the page, the status of
 * the sources, health, metrics, Server-Sent Events, the built-in registry, and the documents that describe all of them.
 * Imports {@code serve.access} for authorization, {@code http.server} for connections and TLS, {@code http.wire} and
 * {@code market} for the description of the operations, {@code serve.feed}, {@code serve.mirror} and
 * {@code serve.candle} for candles, {@code rule} for silences, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.serve.web;

import org.jspecify.annotations.NullMarked;

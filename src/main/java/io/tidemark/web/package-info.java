/**
 * HTTP for people, for operators, for readers of feeds, and for clients of the schema registry: the page, the status of
 * the sources, health, metrics, Server-Sent Events, the built-in registry, and the documents that describe all of them.
 * Imports {@code http.server} for the limits of connections, {@code http.wire} and {@code market} for the description of
 * the operations, {@code feed}, {@code topic} and {@code event}.
 */
@NullMarked
package io.tidemark.web;

import org.jspecify.annotations.NullMarked;

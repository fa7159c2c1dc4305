/**
 * HTTP for people, for operators, for readers of feeds, and for clients of the schema registry: the page, the status of
 * the sources, health, metrics, Server-Sent Events and the built-in registry. Imports {@code http.server} for the limits
 * of connections, {@code feed}, {@code topic} and {@code event}.
 */
@NullMarked
package io.tidemark.web;

import org.jspecify.annotations.NullMarked;

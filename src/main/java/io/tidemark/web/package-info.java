/**
 * HTTP for operators, for readers of feeds, and for clients of the schema registry: health, metrics, Server-Sent Events
 * and the built-in registry. Imports {@code http.server} for the limits of connections, {@code feed} and {@code topic}.
 */
@NullMarked
package io.tidemark.web;

import org.jspecify.annotations.NullMarked;

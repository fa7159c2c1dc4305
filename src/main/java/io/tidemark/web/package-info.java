/**
 * HTTP for operators and for clients of the schema registry: health, metrics and the built-in registry. Imports {@code
 * http.server} for the limits of connections, and {@code topic}.
 */
@NullMarked
package io.tidemark.web;

import org.jspecify.annotations.NullMarked;

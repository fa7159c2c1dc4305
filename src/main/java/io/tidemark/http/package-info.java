/**
 * The interface on the wire: 13 endpoint rows, JSON, client, routes and edge cache; imports {@code market} and {@code
 * event} only.
 */
@NullMarked
package io.tidemark.http;

import org.jspecify.annotations.NullMarked;

/**
 * Access to the web port: hashed keys, their rights and rate limits, sessions of browsers, and a limit on wrong keys.
 * No I/O. Imports {@code event} for secrets, which are never printed.
 */
@NullMarked
package io.tidemark.serve.access;

import org.jspecify.annotations.NullMarked;

/**
 * Who may use the web port: keys by their hashes, their rights and rate limits, sessions of browsers, failed logins. No
 * I/O. Imports {@code yaml} for what is never printed.
 */
@NullMarked
package io.tidemark.access;

import org.jspecify.annotations.NullMarked;

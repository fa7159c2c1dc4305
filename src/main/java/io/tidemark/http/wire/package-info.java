/**
 * The wire format of the market data interface: its 13 endpoints, and reading and writing the JSON of answers and
 * errors. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.http.wire;

import org.jspecify.annotations.NullMarked;

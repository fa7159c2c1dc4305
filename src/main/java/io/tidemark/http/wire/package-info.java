/**
 * The wire format of the market data interface: its 13 endpoints as rows, the JSON of answers and errors, both read and
 * written. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.http.wire;

import org.jspecify.annotations.NullMarked;

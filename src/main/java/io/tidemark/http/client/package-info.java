/** The HTTP client of the interface. */
@NullMarked
package io.tidemark.http.client;

import org.jspecify.annotations.NullMarked;

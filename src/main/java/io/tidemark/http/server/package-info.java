/** The interface served over HTTP. */
@NullMarked
package io.tidemark.http.server;

import org.jspecify.annotations.NullMarked;

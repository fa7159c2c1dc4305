/** The wire format of the interface: its 13 endpoints, and the JSON of answers. */
@NullMarked
package io.tidemark.http.wire;

import org.jspecify.annotations.NullMarked;

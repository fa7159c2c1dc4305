/** The formats of the log: text for terminals, JSON for containers. Control characters are escaped. Imports event. */
@NullMarked
package io.tidemark.app.log;

import org.jspecify.annotations.NullMarked;

/** The formats of the log: text for a terminal, JSON for containers; hostile names are escaped. Imports {@code event}. */
@NullMarked
package io.tidemark.cli.log;

import org.jspecify.annotations.NullMarked;

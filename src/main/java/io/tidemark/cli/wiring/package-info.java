/** Wiring: makes, starts and stops the parts of the program. */
@NullMarked
package io.tidemark.cli.wiring;

import org.jspecify.annotations.NullMarked;

/** Commands of the program. */
@NullMarked
package io.tidemark.cli.command;

import org.jspecify.annotations.NullMarked;

/** Printing of records for terminals and programs. */
@NullMarked
package io.tidemark.cli.print;

import org.jspecify.annotations.NullMarked;

/** The program's entry point: assembles the commands and turns failures into messages and exit codes. */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;

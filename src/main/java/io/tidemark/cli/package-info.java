/**
 * The commands, their settings and the wiring of everything; the only package that may import all others, and imported
 * by none.
 */
@NullMarked
package io.tidemark.cli;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code bench}: measures parts of the program in virtual time, against bounds that are computed in the same
 * run. Imports {@code cli.command}, {@code poll} and {@code market}.
 */
@NullMarked
package io.tidemark.cli.bench;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code watch}: what a source watches besides its configuration, added and removed while it runs. Imports
 * {@code cli.command}, {@code cli.print}, {@code cli.rules}, {@code cli.wiring}, {@code config}, {@code source}, {@code
 * poll}, {@code market}, {@code topic}, {@code event} and {@code yaml}.
 */
@NullMarked
package io.tidemark.cli.watch;

import org.jspecify.annotations.NullMarked;

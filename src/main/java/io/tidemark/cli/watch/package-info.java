/**
 * The command {@code watch}, which shows, adds and removes the targets of a source while it runs. Imports
 * {@code cli.command}, {@code cli.print}, {@code cli.rules}, {@code cli.wiring}, {@code config}, {@code source},
 * {@code poll}, {@code market}, {@code topic}, {@code event} and {@code yaml}.
 */
@NullMarked
package io.tidemark.cli.watch;

import org.jspecify.annotations.NullMarked;

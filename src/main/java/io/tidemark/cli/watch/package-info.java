/**
 * The command {@code watch}, which shows, adds and removes the targets of a source while it runs. Imports
 * {@code cli.command}, {@code cli.print}, {@code cli.rules}, {@code app}, {@code app.config}, {@code capture.source},
 * {@code capture.poll}, {@code market}, {@code kafka}, {@code event} and {@code yaml}.
 */
@NullMarked
package io.tidemark.cli.watch;

import org.jspecify.annotations.NullMarked;

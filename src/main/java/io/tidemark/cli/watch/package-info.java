/**
 * The command {@code watch}, which shows, adds and removes the targets of a source while it runs. Imports {@code
 * cli.command}, {@code cli.print}, {@code cli.rules}, {@code app}, {@code capture.source} and {@code event}.
 */
@NullMarked
package io.tidemark.cli.watch;

import org.jspecify.annotations.NullMarked;

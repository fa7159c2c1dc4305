/**
 * Prints records, changes, alerts, dead letters, and the results of audits and backtests, as text for a terminal and as
 * JSON. Imports {@code event}, {@code kafka}, {@code rule}, {@code audit} and {@code app}.
 */
@NullMarked
package io.tidemark.cli.print;

import org.jspecify.annotations.NullMarked;

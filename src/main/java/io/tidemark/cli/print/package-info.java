/**
 * Prints records, changes, alerts, dead letters, and the results of audits and backtests, as text for a terminal and as
 * JSON. Imports {@code event}, {@code topic}, {@code rule}, {@code audit} and {@code cli.wiring}.
 */
@NullMarked
package io.tidemark.cli.print;

import org.jspecify.annotations.NullMarked;

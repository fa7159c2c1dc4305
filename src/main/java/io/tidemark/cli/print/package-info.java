/**
 * Prints records, changes, alerts, dead letters and the progress of audits as text for a terminal, the results of
 * backtests as text or JSON, and topics and rights as commands or resources. Imports {@code event}, {@code kafka},
 * {@code audit} and {@code app}.
 */
@NullMarked
package io.tidemark.cli.print;

import org.jspecify.annotations.NullMarked;

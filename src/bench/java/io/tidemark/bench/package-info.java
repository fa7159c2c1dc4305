/**
 * The command {@code bench}, which measures the program's work and its cost, each against an aim, and compares the
 * program with the poller that a user would otherwise run. No production image contains it: its jar lies beside the
 * embedded broker. Imports {@code cli.command}, {@code cli.demo}, {@code cli.print}, {@code cli.wiring},
 * {@code config}, {@code simulator}, {@code http.simulated}, {@code http.wire}, {@code http.client},
 * {@code http.server}, {@code source}, {@code poll}, {@code change}, {@code ledger}, {@code stream}, {@code rule},
 * {@code mirror}, {@code feed}, {@code web}, {@code embedded}, {@code topic}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code bench}, which measures the program's work and its cost, each against an aim, and compares the
 * program with the poller that a user would otherwise run. No production image contains it: its jar lies beside the
 * embedded broker. Imports {@code cli.command}, {@code cli.demo}, {@code cli.print}, {@code app}, {@code app.config},
 * {@code simulator}, {@code simulator.server}, {@code http.wire}, {@code http.client}, {@code http.server},
 * {@code capture.source}, {@code capture.poll}, {@code capture.change}, {@code capture.ledger}, {@code stream},
 * {@code rule}, {@code serve.mirror}, {@code serve.feed}, {@code serve.web}, {@code kafka.embedded}, {@code kafka},
 * {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;

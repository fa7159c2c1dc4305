/**
 * The command {@code bench freshness}, which measures the schedule in virtual time against bounds computed in the
 * same run, and the unmodified program over real HTTP. Imports {@code cli.command}, {@code cli.print},
 * {@code app}, {@code app.log}, {@code app.config}, {@code simulator}, {@code http.server}, {@code kafka},
 * {@code capture.poll} and {@code event}.
 */
@NullMarked
package io.tidemark.bench.freshness;

import org.jspecify.annotations.NullMarked;

/**
 * The command {@code bench freshness}: the schedule in virtual time, against bounds that are computed in the same run, and
 * the program as it is over real HTTP. Imports {@code cli.command}, {@code cli.print}, {@code cli.wiring}, {@code cli.log},
 * {@code config}, {@code simulator}, {@code http.server}, {@code topic}, {@code poll} and {@code event}.
 */
@NullMarked
package io.tidemark.bench.freshness;

import org.jspecify.annotations.NullMarked;

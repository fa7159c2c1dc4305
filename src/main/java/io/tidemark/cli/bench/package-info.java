/**
 * The command {@code bench freshness}: measures the schedule in virtual time, against bounds that are computed in the same
 * run, and the program as it is over real HTTP. Imports {@code cli.command}, {@code cli.wiring}, {@code cli.log}, {@code
 * config}, {@code simulator}, {@code http.server}, {@code topic}, {@code poll}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.cli.bench;

import org.jspecify.annotations.NullMarked;

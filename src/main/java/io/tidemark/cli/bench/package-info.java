/**
 * Commands below {@code bench}: the schedule in virtual time, against bounds that are computed in the same run; the
 * program as it is over real HTTP; and Tidemark beside what users would otherwise run. Imports {@code cli.command}, {@code
 * cli.print}, {@code cli.wiring}, {@code cli.log}, {@code bench}, {@code config}, {@code simulator}, {@code http.server},
 * {@code topic}, {@code poll}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.cli.bench;

import org.jspecify.annotations.NullMarked;

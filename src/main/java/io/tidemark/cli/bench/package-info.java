/**
 * Commands below {@code bench}: the schedule in virtual time, against bounds that are computed in the same run, and
 * Tidemark beside what users would otherwise run. Imports {@code cli.command}, {@code cli.print}, {@code bench}, {@code
 * poll} and {@code market}.
 */
@NullMarked
package io.tidemark.cli.bench;

import org.jspecify.annotations.NullMarked;

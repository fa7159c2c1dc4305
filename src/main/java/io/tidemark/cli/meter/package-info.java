/** The program's figures for Prometheus. Labels are of bounded sets: never a name or an id that a stranger chose. */
@NullMarked
package io.tidemark.cli.meter;

import org.jspecify.annotations.NullMarked;

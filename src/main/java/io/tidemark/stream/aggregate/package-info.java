/** The aggregates over several resources, one file each; imports {@code topic}, {@code event} and {@code rule} only. */
@NullMarked
package io.tidemark.stream.aggregate;

import org.jspecify.annotations.NullMarked;

/** Metrics of this process, by Micrometer. */
@NullMarked
package io.tidemark.metrics;

import org.jspecify.annotations.NullMarked;

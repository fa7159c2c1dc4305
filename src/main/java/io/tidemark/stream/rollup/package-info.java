/**
 * Groups of resources over a repartition: what is known of each member, told once a minute, and what follows for the
 * group; imports {@code topic} and {@code event} only.
 */
@NullMarked
package io.tidemark.stream.rollup;

import org.jspecify.annotations.NullMarked;

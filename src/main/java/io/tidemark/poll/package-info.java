/**
 * What to look at and when: watch list, schedule, limiter and poller; imports {@code market}, {@code event} and {@code
 * rule} only.
 */
@NullMarked
package io.tidemark.poll;

import org.jspecify.annotations.NullMarked;

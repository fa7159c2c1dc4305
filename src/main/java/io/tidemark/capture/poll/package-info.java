/**
 * Fetches the watched targets of a source: watch list, schedule, budget and poller. Imports {@code market} and {@code
 * event}.
 */
@NullMarked
package io.tidemark.capture.poll;

import org.jspecify.annotations.NullMarked;

/**
 * The live feeds of a source. Readers of new records share one consumer. A reader that starts at an earlier offset
 * first catches up with a dedicated consumer; the number of these is limited. Imports {@code topic}, {@code rule} for
 * filters, {@code event}, and {@code yaml} for the form of durations.
 */
@NullMarked
package io.tidemark.feed;

import org.jspecify.annotations.NullMarked;

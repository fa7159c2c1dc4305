/**
 * The live feeds of a source. Readers of new records share one consumer. A reader that starts at an earlier offset
 * first catches up with a dedicated consumer; the number of dedicated consumers is limited. The newest record of each
 * key of a compacted topic is held while somebody requests it. Imports {@code kafka}, {@code rule} for filters, and
 * {@code event}.
 */
@NullMarked
package io.tidemark.serve.feed;

import org.jspecify.annotations.NullMarked;

/**
 * Measures the program beside the least that the same work needs, in the same run: parts with ours, the limit and the
 * ratio. Imports {@code simulator}, {@code http.wire}, {@code http.client}, {@code http.server}, {@code change}, {@code
 * ledger}, {@code stream}, {@code rule}, {@code mirror}, {@code feed}, {@code web}, {@code embedded}, {@code topic},
 * {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.bench;

import org.jspecify.annotations.NullMarked;

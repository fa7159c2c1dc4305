/**
 * The one writer of a source: the transaction, its restore and the ownership of sources; imports {@code market},
 * {@code change}, {@code topic} and {@code event} only.
 */
@NullMarked
package io.tidemark.ledger;

import org.jspecify.annotations.NullMarked;

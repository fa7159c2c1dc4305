/**
 * The ledger: the single transactional writer of a source, with the known states on local disk and their restore from
 * Kafka. Imports {@code change}, {@code topic} and {@code event}.
 */
@NullMarked
package io.tidemark.ledger;

import org.jspecify.annotations.NullMarked;

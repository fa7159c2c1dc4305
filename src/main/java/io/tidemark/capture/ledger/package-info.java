/**
 * The ledger: the single transactional writer of a source, with the known states on local disk and their restore from
 * Kafka. Imports {@code capture.change}, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.capture.ledger;

import org.jspecify.annotations.NullMarked;

/**
 * One source, from poll to commit:
 *
 * <pre>{@code
 * poller.snapshots()                   // poll: what the service answered
 *     .map(this::detect)               // detect: what differs from the known state
 *     .doOnNext(batch -> commit())     // commit: what is now in Kafka
 * }</pre>
 *
 * <p>{@code SourceSession} is this pipeline. {@code SourceRunner} runs one session after the other while this instance
 * is the owner of the source. {@code Sources} distributes the sources among the instances through a consumer group.
 * Imports {@code capture.poll}, {@code capture.change}, {@code capture.ledger}, {@code kafka}, {@code market},
 * {@code event}, {@code http.client} and {@code http.wire}.
 */
@NullMarked
package io.tidemark.capture.source;

import org.jspecify.annotations.NullMarked;

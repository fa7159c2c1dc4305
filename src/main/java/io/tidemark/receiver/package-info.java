/**
 * Delivers alerts to chats and programs: one thread and one consumer group per receiver, limits, digests, retries.
 * Imports {@code topic} and {@code event}.
 */
@NullMarked
package io.tidemark.receiver;

import org.jspecify.annotations.NullMarked;

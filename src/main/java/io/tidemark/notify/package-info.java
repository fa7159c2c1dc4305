/**
 * Delivers alerts to chats and programs: one thread and one consumer group per receiver, limits, digests, retries.
 * Imports {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.notify;

import org.jspecify.annotations.NullMarked;

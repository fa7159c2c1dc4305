/**
 * Delivers alerts to chats and programs, with limits, digests and retries. Each receiver has a thread and a consumer
 * group.
 * Imports {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.notify;

import org.jspecify.annotations.NullMarked;

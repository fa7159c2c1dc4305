/**
 * From the service to the topics, in four steps that are packages: {@code poll} asks, {@code change} detects,
 * {@code ledger} commits, and {@code source} runs the three for one source while this instance owns it.
 */
@NullMarked
package io.tidemark.capture;

import org.jspecify.annotations.NullMarked;

/**
 * Reads a cluster back and proves that what lies there keeps the laws of change events; imports {@code topic} and {@code
 * event} only, and shares nothing with the code that wrote it.
 */
@NullMarked
package io.tidemark.audit;

import org.jspecify.annotations.NullMarked;

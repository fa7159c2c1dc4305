/**
 * The alert mechanisms, each one function from streams to streams; imports {@code topic}, {@code event} and {@code
 * rule} only.
 */
@NullMarked
package io.tidemark.stream.alert;

import org.jspecify.annotations.NullMarked;

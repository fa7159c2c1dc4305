/**
 * The audit of a source, which reads its topics back and checks the laws of change events. Imports {@code kafka} and
 * {@code event} only: it recomputes the values with its own code, and shares no code with the packages that wrote the
 * values.
 */
@NullMarked
package io.tidemark.audit;

import org.jspecify.annotations.NullMarked;

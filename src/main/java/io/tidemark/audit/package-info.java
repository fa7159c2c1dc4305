/**
 * The audit of a source, which reads its topics back and checks the laws of change events. Imports {@code kafka} and
 * {@code event} only: it recomputes the values that it checks with its own code and shares none with the packages
 * that wrote them.
 */
@NullMarked
package io.tidemark.audit;

import org.jspecify.annotations.NullMarked;

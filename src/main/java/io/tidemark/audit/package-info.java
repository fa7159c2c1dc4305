/**
 * Reads the topics of a source back and checks the laws of change events. Imports {@code topic} and {@code event} only:
 * it recomputes what it checks with code of its own and shares none with the packages that wrote it.
 */
@NullMarked
package io.tidemark.audit;

import org.jspecify.annotations.NullMarked;

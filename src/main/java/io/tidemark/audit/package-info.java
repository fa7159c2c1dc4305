/**
 * The audit of a source. It reads the source's topics back and checks the laws of change events. Imports {@code
 * kafka} and {@code event} only. The audit recomputes the values with code of its own or of {@code event}, and
 * imports none of the packages that wrote the values. Otherwise the audit would repeat a bug of the writer instead of
 * finding it. In return, some twenty lines exist twice.
 */
@NullMarked
package io.tidemark.audit;

import org.jspecify.annotations.NullMarked;

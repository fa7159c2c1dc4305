/**
 * The CEL vocabulary over events: alert rules, {@code --where}, feed filters and {@code follow}; imports {@code event}
 * and {@code yaml} only.
 */
@NullMarked
package io.tidemark.rule;

import org.jspecify.annotations.NullMarked;

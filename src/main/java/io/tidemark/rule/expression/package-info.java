/**
 * The expression language over events: conditions and templates in CEL, and the vocabulary that a schema gives them.
 * Rules, {@code tail --where} and filters of feeds use it. Imports {@code event}.
 */
@NullMarked
package io.tidemark.rule.expression;

import org.jspecify.annotations.NullMarked;

/**
 * The expression language over events: conditions and templates in CEL, and the names from a record's schema that they
 * may use. Rules, {@code tail --where} and filters of feeds use this language. Imports {@code event}.
 */
@NullMarked
package io.tidemark.rule.expression;

import org.jspecify.annotations.NullMarked;

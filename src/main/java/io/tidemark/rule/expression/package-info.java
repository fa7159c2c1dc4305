/** The expression language of rules (CEL) over the records of a topic. */
@NullMarked
package io.tidemark.rule.expression;

import org.jspecify.annotations.NullMarked;

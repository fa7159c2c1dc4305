/**
 * The types of an alerting rule, a set of rules and a silence. Imports {@code rule.expression}; {@code rule.file}
 * reads and writes them.
 */
@NullMarked
package io.tidemark.rule;

import org.jspecify.annotations.NullMarked;

/**
 * The types of an alerting rule, a set of rules and a silence, which {@code rule.file} reads and writes. Imports {@code
 * rule.expression}.
 */
@NullMarked
package io.tidemark.rule;

import org.jspecify.annotations.NullMarked;

/**
 * The text form of rules and silences: files that people write, the shipped rules, the text on {@code control}, and the
 * rules and silences that are in force. Imports {@code rule}, {@code rule.expression}, {@code event} and {@code yaml}.
 */
@NullMarked
package io.tidemark.rule.file;

import org.jspecify.annotations.NullMarked;

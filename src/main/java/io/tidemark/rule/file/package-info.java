/**
 * Rules and silences as text: files that people write, the shipped rules, the text on {@code control}, and which of them
 * are in force. Imports {@code rule}, {@code rule.expression}, {@code event} and {@code yaml}.
 */
@NullMarked
package io.tidemark.rule.file;

import org.jspecify.annotations.NullMarked;

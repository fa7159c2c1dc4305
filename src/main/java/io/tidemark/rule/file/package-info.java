/**
 * Reads and writes rules and silences as text: files that people write, the shipped rules, and records of the topics
 * {@code watch} and {@code control}. Keeps track of the rules and silences in force. Imports {@code rule}, {@code
 * rule.expression}, {@code event} and {@code yaml}.
 */
@NullMarked
package io.tidemark.rule.file;

import org.jspecify.annotations.NullMarked;

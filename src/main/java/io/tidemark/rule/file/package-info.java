/** Reading and writing of rules and silences as text. */
@NullMarked
package io.tidemark.rule.file;

import org.jspecify.annotations.NullMarked;

/**
 * Strict reading of YAML, for configurations and rules. Sections and values know their position, so that messages
 * have line, column and the nearest right name. Imports {@code event}.
 */
@NullMarked
package io.tidemark.yaml;

import org.jspecify.annotations.NullMarked;

/**
 * Strict reading of YAML, for configurations and rules. Sections and values know their position, so that messages can
 * give the line and column. For an unknown name, messages suggest the nearest valid name. Imports {@code event}.
 */
@NullMarked
package io.tidemark.yaml;

import org.jspecify.annotations.NullMarked;

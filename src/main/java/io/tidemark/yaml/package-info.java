/**
 * Strict reading of YAML: sections and values that know their position, for messages with line, column and the nearest
 * right name. Configuration and rules are read with it. Imports nothing of ours.
 */
@NullMarked
package io.tidemark.yaml;

import org.jspecify.annotations.NullMarked;

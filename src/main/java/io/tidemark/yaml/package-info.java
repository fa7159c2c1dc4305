/** YAML of which every part knows its place, for messages that name line and column; a leaf that all may import. */
@NullMarked
package io.tidemark.yaml;

import org.jspecify.annotations.NullMarked;

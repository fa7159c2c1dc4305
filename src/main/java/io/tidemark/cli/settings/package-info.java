/** The configuration: one YAML file, read strictly, with values from the environment above it. */
@NullMarked
package io.tidemark.cli.settings;

import org.jspecify.annotations.NullMarked;

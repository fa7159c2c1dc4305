/** Settings: one YAML file, read strictly into records, with values of the environment above it. */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;

/**
 * The settings of the program: one YAML file, read strictly into records, whose values environment variables override.
 * Imports {@code yaml}, and the settings records of the packages that it configures.
 */
@NullMarked
package io.tidemark.config;

import org.jspecify.annotations.NullMarked;

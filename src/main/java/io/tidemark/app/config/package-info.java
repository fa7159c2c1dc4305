/**
 * The settings of the program, read strictly from one YAML file into records. Environment variables override values of
 * the file. Imports {@code yaml}, and the settings records of the packages that it configures.
 */
@NullMarked
package io.tidemark.app.config;

import org.jspecify.annotations.NullMarked;

/**
 * The settings of the program, read strictly from one YAML file into records. Environment variables override values
 * of the file. Imports {@code yaml} and {@code event}, and from the packages that it configures their settings,
 * queries, formats and rule expressions.
 */
@NullMarked
package io.tidemark.app.config;

import org.jspecify.annotations.NullMarked;

/**
 * Creates, starts and stops the parts of the program, and connects commands to Kafka and the registry. Imports all
 * packages below {@code cli}; commands import this package.
 */
@NullMarked
package io.tidemark.app;

import org.jspecify.annotations.NullMarked;

/**
 * Creates, starts and stops the parts of the program, and connects commands to Kafka and the registry. Imports every
 * top-level package of the program except {@code audit} and {@code cli}; commands import this package.
 */
@NullMarked
package io.tidemark.app;

import org.jspecify.annotations.NullMarked;

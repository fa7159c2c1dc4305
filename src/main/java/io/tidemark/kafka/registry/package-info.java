/** The schema registry: the built-in one, or an external one with Confluent's interface. */
@NullMarked
package io.tidemark.kafka.registry;

import org.jspecify.annotations.NullMarked;

/** The Kafka broker that demo and tests run in their own JVM. Imports {@code kafka}. */
@NullMarked
package io.tidemark.kafka.embedded;

import org.jspecify.annotations.NullMarked;

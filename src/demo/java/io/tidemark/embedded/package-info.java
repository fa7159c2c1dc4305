/** The Kafka broker that demo and tests run in their own JVM. Imports {@code config}. */
@NullMarked
package io.tidemark.embedded;

import org.jspecify.annotations.NullMarked;

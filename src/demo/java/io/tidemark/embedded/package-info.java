/**
 * The Kafka broker that demo and tests run in their own JVM. Imports no other package of Tidemark.
 */
@NullMarked
package io.tidemark.embedded;

import org.jspecify.annotations.NullMarked;

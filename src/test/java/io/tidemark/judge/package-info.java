/**
 * A judge of what a cluster holds after a run with faults: it reads the logs of the brokers and what readers saw, and
 * names each anomaly as Elle does. It shares no code with the program, and imports Kafka's clients and Avro only.
 */
@NullMarked
package io.tidemark.judge;

import org.jspecify.annotations.NullMarked;

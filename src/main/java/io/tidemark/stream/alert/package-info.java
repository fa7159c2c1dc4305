/**
 * The alerts of the rules in force: {@code TopicRules} runs the rules on one topic, {@code AlertEvaluator} moves an
 * {@code AlertInstance} from state to state, and {@code AlertPublisher} publishes the alerts. Imports {@code
 * stream.tick}, {@code rule} and its sub-packages, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.alert;

import org.jspecify.annotations.NullMarked;

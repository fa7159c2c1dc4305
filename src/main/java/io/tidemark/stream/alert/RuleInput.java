package io.tidemark.stream.alert;

import io.tidemark.rule.expression.AttributeHistory;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;

/**
 * A record that rules are asked about.
 *
 * @param key of the record
 * @param record with all that is known beside what changed
 * @param observedAt its event time
 */
record RuleInput(String key, SpecificRecord record, AttributeHistory past, Instant observedAt) {

  boolean isBaseline() {
    return Traits.isBaseline(record);
  }

  boolean isRemoved() {
    return Traits.left(record) != null;
  }
}

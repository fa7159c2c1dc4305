package io.tidemark.kafka;

import org.apache.avro.specific.SpecificRecord;

/** The topics of aggregates, by the class of their values. */
public final class AggregateTopics {

  private AggregateTopics() {}

  /** Not for candles, the class of several topics. */
  @SuppressWarnings("unchecked") // the value class is compared
  public static <V extends SpecificRecord> Topic<V> aggregate(Topics topics, Class<V> value) {
    return (Topic<V>) topics.aggregates().stream().filter(each -> each.value().equals(value)).findFirst().orElseThrow();
  }
}

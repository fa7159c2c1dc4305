package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counters of one name and one source, by their other labels. */
final class LabelledCounter {

  private final Meter.MeterProvider<Counter> counters;

  /** @param help what one more means, for people */
  LabelledCounter(MeterRegistry registry, String source, String name, String help) {
    counters = Counter.builder(name).description(help).tag("source", source).withRegistry(registry);
  }

  /** @param labels names and values in turn; of one set of names always */
  void add(double more, String... labels) {
    counters.withTags(labels).increment(more);
  }

  /** Is there at 0: a rate from nothing to one would not be seen. */
  void registerAtZero(String... labels) {
    add(0, labels);
  }
}

package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counters of one metric and one source, by their other labels. */
final class LabelledCounter {

  private final Meter.MeterProvider<Counter> counters;

  /** @param help what is counted, for people */
  LabelledCounter(MeterRegistry registry, String source, String name, String help) {
    counters = Counter.builder(name).description(help).tag("source", source).withRegistry(registry);
  }

  /** @param labels names and values in turn, always of the same names */
  void add(double more, String... labels) {
    counters.withTags(labels).increment(more);
  }

  /** Registers the counter at 0, as a rate does not show the first increment otherwise. */
  void registerAtZero(String... labels) {
    add(0, labels);
  }
}

package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Registers meters that share some labels. Further labels are names and values in turn. */
record MeterFactory(MeterRegistry registry, Tags labels) {

  static MeterFactory ofSource(String source, MeterRegistry registry) {
    return new MeterFactory(registry, Tags.of("source", source));
  }

  MeterFactory with(String... further) {
    return new MeterFactory(registry, labels.and(further));
  }

  void gauge(String name, String help, Supplier<Number> value) {
    gauge(name, null, help, value);
  }

  /** @param unit null for a figure without one */
  void gauge(String name, @Nullable String unit, String help, Supplier<Number> value) {
    Gauge.builder(name, value).description(help).baseUnit(unit).tags(labels).register(registry);
  }

  /** A counter whose value is asked for: it goes with the object, which is not kept for it. */
  <T> void counted(String name, String help, T of, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, of, value).description(help).tags(labels).register(registry);
  }

  /**
   * Counters of one metric, by their further labels, which are always of the same names. Those that are known beforehand
   * are incremented by 0, as a rate does not show the first increment otherwise.
   */
  MeterProvider<Counter> counters(String name, String help) {
    return Counter.builder(name).description(help).tags(labels).withRegistry(registry);
  }
}

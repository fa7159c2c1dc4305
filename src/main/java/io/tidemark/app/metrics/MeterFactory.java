package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A factory that registers meters with shared labels. {@link #with} adds labels, given as alternating names and values.
 */
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

  /** @param unit null for a number without a unit */
  void gauge(String name, @Nullable String unit, String help, Supplier<Number> value) {
    Gauge.builder(name, value).description(help).baseUnit(unit).tags(labels).register(registry);
  }

  /** The counter holds the object weakly, and keeps its last value after the object is gone. */
  <T> void counted(String name, String help, T of, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, of, value).description(help).tags(labels).register(registry);
  }

  /**
   * Returns a provider of the counters of one metric, which differ in the values of further labels. The names of the
   * further labels must always be the same. If the labels of a counter are known beforehand, increment the counter by
   * 0, because otherwise a rate does not show its first increment.
   */
  MeterProvider<Counter> counters(String name, String help) {
    return Counter.builder(name).description(help).tags(labels).withRegistry(registry);
  }

  /**
   * Returns a provider of the timers of one metric, as {@link #counters} does.
   *
   * @param buckets limits of the histogram, in milliseconds
   */
  MeterProvider<Timer> timers(String name, String help, int... buckets) {
    return Timer.builder(name).description(help).tags(labels)
        .serviceLevelObjectives(IntStream.of(buckets).mapToObj(Duration::ofMillis).toArray(Duration[]::new))
        .withRegistry(registry);
  }
}

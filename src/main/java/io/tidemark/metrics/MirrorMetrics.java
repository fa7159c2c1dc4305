package io.tidemark.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.tidemark.mirror.MirrorReader;

/** Metrics of the mirror of a source. */
record MirrorMetrics(String source, MirrorReader mirror) implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("tidemark.mirror.caught.up", () -> mirror.isCaughtUp() ? 1 : 0)
        .description("1 once the mirror has read all states that were there at its start, and answers.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.mirror.lag.records", () -> mirror.lag() < 0 ? Double.NaN : mirror.lag())
        .description("Records of states that the mirror has not read yet; NaN where Kafka does not say.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.mirror.resources", mirror::resources)
        .description("Resources that the mirror knows.")
        .tag("source", source)
        .register(registry);
    Gauge.builder("tidemark.mirror.bytes", mirror::bytes)
        .description("Bytes of the keys and states of these resources, on the heap.")
        .tag("source", source)
        .register(registry);
  }
}

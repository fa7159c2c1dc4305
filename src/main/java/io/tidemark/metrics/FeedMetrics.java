package io.tidemark.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.tidemark.feed.FeedLimits;
import io.tidemark.feed.Feeds;

/** Metrics of the feeds of a source. */
record FeedMetrics(Feeds feeds) implements MeterBinder {

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("tidemark.feed.readers", feeds, Feeds::readers)
        .description("Readers of feeds that are connected.")
        .tag("source", feeds.source())
        .register(registry);
    Gauge.builder("tidemark.feed.catching.up", feeds, Feeds::catchingUp)
        .description("Readers that read earlier records, each with a consumer of its own.")
        .tag("source", feeds.source())
        .register(registry);
    Gauge.builder("tidemark.feed.bytes", feeds.limits(), FeedLimits::bytes)
        .description("Bytes of events that wait for readers of feeds, of all sources together.")
        .register(registry);
    FunctionCounter.builder("tidemark.feed.slow.readers", feeds, Feeds::tooSlow)
        .description("Readers that were cut off because they were too slow.")
        .tag("source", feeds.source())
        .register(registry);
    FunctionCounter.builder("tidemark.feed.refused", feeds, Feeds::refused)
        .description("Readers that were refused because too many catch up, or because Kafka does not answer.")
        .tag("source", feeds.source())
        .register(registry);
  }
}

package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.tidemark.serve.web.ConnectionListener;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Metrics of an HTTP listener: its connections, and how long answers take. */
final class ListenerMetrics implements ConnectionListener {

  private final AtomicInteger open = new AtomicInteger();
  private final MeterProvider<Timer> answers;

  /** @param listener {@code web} or {@code management} */
  ListenerMetrics(String listener, MeterRegistry registry) {
    var meters = new MeterFactory(registry, Tags.of("listener", listener));
    meters.gauge("tidemark.http.connections", "Open connections of an HTTP listener.", open::get);
    // buckets from the time of a cached answer to the time of an answer that has to wait
    answers = meters.timers("tidemark.http.answer",
        "Answers of an HTTP listener except feeds, and how long each took from the head of the request until the end of"
            + " the answer was handed to the connection.",
        1, 5, 25, 100, 500, 2_500, 10_000);
    IntStream.rangeClosed(1, 5).forEach(digit -> answers.withTags("status", digit + "xx"));
  }

  @Override
  public void opened() {
    open.incrementAndGet();
  }

  @Override
  public void closed() {
    open.decrementAndGet();
  }

  @Override
  public void answered(int status, long nanos) {
    answers.withTags("status", Math.clamp(status / 100, 1, 5) + "xx").record(nanos, TimeUnit.NANOSECONDS);
  }
}

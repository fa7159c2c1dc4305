package io.tidemark.app.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.tidemark.serve.web.ConnectionListener;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Metrics of an HTTP listener: its connections, and how long answers take. */
final class ListenerMetrics implements ConnectionListener {
  private static final int CLASSES = 5;

  /** Limits of the histogram, from the time of a cached answer to the time of an answer that has to wait. */
  private static final Duration[] BUCKETS = Stream.of(1, 5, 25, 100, 500, 2_500, 10_000)
      .map(Duration::ofMillis)
      .toArray(Duration[]::new);

  private final AtomicInteger open = new AtomicInteger();

  /** Timers of answers, one for each class of status: index 0 for 1xx, index 4 for 5xx. */
  private final Timer[] answers;

  /** @param listener {@code web} or {@code management} */
  ListenerMetrics(String listener, MeterRegistry registry) {
    new MeterFactory(registry, Tags.of("listener", listener))
        .gauge("tidemark.http.connections", "Open connections of an HTTP listener.", open::get);
    answers = IntStream.rangeClosed(1, CLASSES)
        .mapToObj(digit -> Timer.builder("tidemark.http.answer")
            .description(
                "Answers of an HTTP listener except feeds, and how long each took from the head of the request until"
                    + " the end of the answer was handed to the connection.")
            .tag("listener", listener)
            .tag("status", digit + "xx")
            .serviceLevelObjectives(BUCKETS)
            .register(registry))
        .toArray(Timer[]::new);
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
    answers[Math.clamp(status / 100, 1, CLASSES) - 1].record(nanos, TimeUnit.NANOSECONDS);
  }
}

package io.tidemark.app.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.tidemark.serve.web.ConnectionListener;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Metrics of an HTTP listener: its connections, and how long answers take. */
final class ListenerMetrics implements ConnectionListener {

  private final AtomicInteger open = new AtomicInteger();

  /** Timers by the first digit of the status, from 1. */
  private final List<Timer> answers;

  /** @param listener {@code web} or {@code management} */
  ListenerMetrics(String listener, MeterRegistry registry) {
    var meters = new MeterFactory(registry, Tags.of("listener", listener));
    meters.gauge("tidemark.http.connections", "Open connections of an HTTP listener.", open::get);
    // buckets from the time of a cached answer to the time of an answer that has to wait
    var timers = meters.timers("tidemark.http.answer",
        "Answers of an HTTP listener except feeds, and how long each took from the head of the request until the end of"
            + " the answer was handed to the connection.",
        1, 5, 25, 100, 500, 2_500, 10_000);
    answers = IntStream.rangeClosed(1, 5).mapToObj(digit -> timers.withTags("status", digit + "xx")).toList();
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
    answers.get(Math.clamp(status / 100, 1, 5) - 1).record(nanos, TimeUnit.NANOSECONDS);
  }
}

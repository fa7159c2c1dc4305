package io.tidemark.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.stream.StreamApplication;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All metrics of this process, with those of the JVM, of the log and of Reactor Netty. */
public final class ProgramMetrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramMetrics.class);

  /** Metrics of each store, node, topic or partition of each task: thousands, useful only for work on Kafka itself. */
  private static final List<String> TOO_MUCH = List.of(
      "kafka.stream.state.", "kafka.stream.processor.node.", "kafka.stream.topic.", "kafka.producer.topic.",
      "kafka.consumer.fetch.manager.records.lead", "kafka.consumer.fetch.manager.records.lag.",
      "kafka.consumer.fetch.manager.preferred.read.replica");

  private static final String RESTORING = "kafka.stream.state.updater.";

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ConcurrentMap<String, SourceMetrics> sources = new ConcurrentHashMap<>();
  private final List<StreamMetrics> streams = new CopyOnWriteArrayList<>();
  private final Deque<AutoCloseable> binders = new ArrayDeque<>();

  public ProgramMetrics(String version) {
    registry.config().meterFilter(MeterFilter.deny(ProgramMetrics::isTooMuch));
    Metrics.addRegistry(registry); // where Reactor Netty puts its own
    Gauge.builder("tidemark.build.info", () -> 1)
        .description("1; the label says which version runs.")
        .tag("version", version)
        .register(registry);
    List.of(new ClassLoaderMetrics(), new JvmMemoryMetrics(), new JvmGcMetrics(), new JvmThreadMetrics(),
        new ProcessorMetrics(), new UptimeMetrics(), new FileDescriptorMetrics(), new LogbackMetrics())
        .forEach(this::bind);
  }

  /** All metrics in Prometheus' text format. */
  public String scrape() {
    streams.forEach(stream -> stream.refresh(registry));
    return registry.scrape();
  }

  /** The metrics of a source, the same at each call. */
  public SourceMetrics source(String name) {
    return sources.computeIfAbsent(name, source -> new SourceMetrics(source, registry, InstantSource.system()));
  }

  /** Adds the metrics of a source's stream application. */
  public void stream(String source, StreamApplication app) {
    var stream = new StreamMetrics(source, app);
    bind(stream);
    streams.add(stream);
  }

  @Override
  public synchronized void close() {
    Metrics.removeRegistry(registry);
    while (!binders.isEmpty()) {
      close(binders.pop());
    }
    sources.values().forEach(SourceMetrics::close);
    registry.close();
  }

  private static boolean isTooMuch(Meter.Id meter) {
    return !meter.getName().startsWith(RESTORING) && TOO_MUCH.stream().anyMatch(meter.getName()::startsWith);
  }

  private static void close(AutoCloseable binder) {
    try {
      binder.close();
    } catch (Exception e) {
      LOG.debug("metrics could not be closed", e);
    }
  }

  private synchronized void bind(MeterBinder binder) {
    binder.bindTo(registry);
    if (binder instanceof AutoCloseable closing) {
      binders.push(closing);
    }
  }
}

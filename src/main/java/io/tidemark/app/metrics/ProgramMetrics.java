package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.kafka.OpenTransactionMonitor;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.TransactionProtocol;
import io.tidemark.serve.feed.Feeds;
import io.tidemark.serve.mirror.MirrorReader;
import io.tidemark.serve.web.ConnectionListener;
import io.tidemark.stream.StreamApplication;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All metrics of this process, including those of the JVM, the log and Reactor Netty's clients. */
public final class ProgramMetrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramMetrics.class);

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ConcurrentMap<String, SourceMetrics> sources = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, StreamMetrics> streams = new ConcurrentHashMap<>();
  private final List<AutoCloseable> binders = new ArrayList<>();

  public ProgramMetrics(String version) {
    registry.config().meterFilter(new KafkaMetricFilter());
    Metrics.addRegistry(registry); // Reactor Netty registers its metrics there
    meters("version", version).gauge("tidemark.build.info", "Always 1; the label is the version that runs.", () -> 1);
    List.of(new ClassLoaderMetrics(), new JvmMemoryMetrics(), new JvmGcMetrics(), new JvmThreadMetrics(),
        new ProcessorMetrics(), new UptimeMetrics(), new FileDescriptorMetrics(), new LogbackMetrics())
        .forEach(binder -> {
          binder.bindTo(registry);
          if (binder instanceof AutoCloseable closing) {
            binders.add(closing);
          }
        });
  }

  /** Returns all metrics in Prometheus' text format. */
  public String scrape() {
    streams.values().forEach(StreamMetrics::refresh);
    try {
      return registry.scrape();
    } catch (RuntimeException e) {
      return registry.scrape(); // a producer's meters were being replaced during the first scrape
    }
  }

  /** Returns the metrics of a source, the same object at each call. */
  public SourceMetrics source(String name) {
    return sources.computeIfAbsent(name, source -> new SourceMetrics(source, registry, InstantSource.system()));
  }

  /** Shows the metrics of a source's new stream application instead of those of its previous stream application. */
  public void stream(String source, StreamApplication app) {
    streams.computeIfAbsent(source, name -> new StreamMetrics(name, registry)).show(app);
  }

  /** Shows that this process has a role. A process without the role does not have the metric. */
  public void show(String role) {
    meters("role", role).gauge("tidemark.role", "1 while this process has the role.", () -> 1);
  }

  /** Adds the metric whether a derived role (streams, receivers, web) runs in this process. */
  public void role(String role, String source, BooleanSupplier isUp) {
    meters("role", role, "source", source).gauge("tidemark.role.up",
        "1 while the role runs in this process, 0 while it waits for its restart.", () -> isUp.getAsBoolean() ? 1 : 0);
  }

  /** Adds the counter of the failures of a derived role, and returns an action that increases it. */
  public Runnable roleFailures(String role, String source) {
    return meters("role", role, "source", source)
        .counters("tidemark.role.failures", "How often the role failed, at its start or later.").withTags()::increment;
  }

  /** Adds the counter of spans with an outcome, and returns a function that increases it. */
  public IntConsumer spans(String outcome) {
    return meters("outcome", outcome)
        .counters("tidemark.trace.spans", "Spans of traces, by what became of them.").withTags()::increment;
  }

  /** Adds the metric of the cluster's transaction protocol. */
  public void transactionProtocol(TransactionProtocol transactions) {
    meters().gauge("tidemark.kafka.transaction.version",
        "The transaction.version that the cluster uses; -1 if the cluster does not report it.", transactions::version);
  }

  /** Adds the metrics of open transactions that block the readers of a source's topics. */
  public void openTransactions(String source, OpenTransactionMonitor monitor) {
    monitor.topics().forEach(topic -> {
      var meters = meters("source", source, "topic", topic);
      meters.gauge("tidemark.open.transaction", "seconds",
          "How long readers of committed records have been waiting for the same transaction to end.",
          () -> monitor.blockedFor(topic).toMillis() / 1000.0);
      meters.gauge("tidemark.open.transaction.records",
          "Records between the last stable offset and the end of the log.", () -> monitor.blockedRecords(topic));
    });
  }

  /** Adds the counters of records that a role of a source could not use, one counter for each topic. */
  public void quarantine(Quarantine quarantine) {
    quarantine.topics().forEach(
        topic -> meters("source", quarantine.source(), "role", quarantine.role().label(), "topic", topic)
            .counted("tidemark.quarantined.records", "Records of a topic that a role could not use and skipped.",
                quarantine, all -> all.count(topic)));
  }

  /** Adds the metrics of a source's mirror. */
  public void mirror(String source, MirrorReader mirror) {
    var meters = meters("source", source);
    meters.gauge("tidemark.mirror.caught.up",
        "1 after the mirror has read all states that existed when it started, and answers requests.",
        () -> mirror.isCaughtUp() ? 1 : 0);
    meters.gauge("tidemark.mirror.lag.records",
        "Records of states that the mirror has not read yet; NaN if their number is unknown.",
        () -> mirror.lag() < 0 ? Double.NaN : mirror.lag());
    meters.gauge("tidemark.mirror.resources", "Resources that the mirror knows.", mirror::resources);
    meters.gauge("tidemark.mirror.bytes",
        "Bytes on the heap of the keys and states of the resources that the mirror knows.", mirror::bytes);
  }

  /**
   * Adds the metrics of an HTTP listener. Must be called once for each listener.
   *
   * @param name {@code web} or {@code management}
   */
  public ConnectionListener listener(String name) {
    return new ListenerMetrics(name, registry);
  }

  /** Adds the metrics of a source's feeds. */
  public void feeds(Feeds feeds) {
    var meters = meters("source", feeds.source());
    meters.gauge("tidemark.feed.readers", "Connected readers of feeds.", feeds::readers);
    meters.gauge("tidemark.feed.catching.up",
        "Readers of feeds that still read earlier records, each with its own consumer.", feeds::catchingUp);
    meters.counted("tidemark.feed.slow.readers", "Readers of feeds that were cut off because they were too slow.",
        feeds, Feeds::tooSlow);
    meters.counted("tidemark.feed.refused",
        "Readers of feeds that were refused because too many readers catch up, or because Kafka does not answer.",
        feeds, Feeds::refused);
    meters().gauge("tidemark.feed.bytes", "Bytes of events that wait for readers of feeds, over all sources.",
        feeds.limits()::bytes);
  }

  private MeterFactory meters(String... labels) {
    return new MeterFactory(registry, Tags.of(labels));
  }

  @Override
  public void close() {
    Metrics.removeRegistry(registry);
    binders.forEach(ProgramMetrics::close);
    streams.values().forEach(ProgramMetrics::close);
    sources.values().forEach(SourceMetrics::close);
    registry.close();
  }

  private static void close(AutoCloseable binder) {
    try {
      binder.close();
    } catch (Exception e) {
      LOG.debug("metrics could not be closed", e);
    }
  }
}

package io.tidemark.cli.wiring;

import io.tidemark.config.Settings;
import io.tidemark.event.Watch;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.metrics.ProgramMetrics;
import io.tidemark.receiver.Receivers;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.source.CommandAnnouncer.Announcements;
import io.tidemark.source.GroupSettings;
import io.tidemark.source.SourceSettings;
import io.tidemark.source.Sources;
import io.tidemark.source.Sources.ConfiguredSource;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicSetup;
import io.tidemark.topic.Topics;
import io.tidemark.web.ManagementRoutes;
import io.tidemark.web.SchemaRegistryRoutes;
import io.tidemark.web.WebServer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program's wiring: makes its parts from the settings, role by role, top-down. */
public final class Application {

  public static final String VERSION = "0.1.0";

  private static final Logger LOG = LoggerFactory.getLogger(Application.class);

  private final Settings settings;
  private final Path streamStates;
  private final RunningComponents parts;
  private final SchemaRegistry registry;
  private final HealthChecks health = new HealthChecks();
  private final ProgramMetrics metrics;
  private int webPort;
  private int managementPort;

  /**
   * @param streamStates the folder of the stream stores; they are restored from Kafka where it is empty
   * @param parts gets every part that is started; its owner closes it
   */
  public Application(Settings settings, Path streamStates, RunningComponents parts) {
    this.settings = settings;
    this.streamStates = streamStates;
    this.parts = parts;
    this.registry = Registries.of(settings.registry(), topics(settings));
    this.metrics = parts.add("metrics", new ProgramMetrics(VERSION));
  }

  /** Starts roles and returns when all of them run. */
  public KafkaCluster start(Set<Role> roles) {
    managementPort = startManagement();
    var cluster = KafkaCluster.of(settings.kafka(), parts);
    makeTopics(cluster);
    if (roles.contains(Role.WEB)) {
      startWeb();
    }
    if (roles.contains(Role.STREAM)) {
      settings.sources().forEach(source -> startStreams(cluster, source));
      settings.sources().forEach(source -> startReceivers(cluster, source));
    }
    if (roles.contains(Role.POLL)) {
      startSources(cluster);
    }
    health.programStarted();
    parts.add("readiness", health::programStopping);
    return cluster;
  }

  public SchemaRegistry registry() {
    return registry;
  }

  public List<Topic<?>> topics() {
    return topics(settings);
  }

  /** The port of the web server; 0 where the role does not run. */
  public int webPort() {
    return webPort;
  }

  /** The port of health and metrics; 0 where they are not served. */
  public int managementPort() {
    return managementPort;
  }

  /** Returns 0 where the default port is taken and no port is configured. */
  private int startManagement() {
    var listener = settings.management();
    var address = new WebServer.ListenAddress("management", listener.address(), listener.port());
    var routes = new ManagementRoutes(health::live, health::ready, metrics::scrape);
    try {
      return parts.add("the management port", WebServer.start(address, List.of(routes))).port();
    } catch (IllegalStateException e) {
      if (listener.configured()) {
        throw e;
      }
      LOG.warn("this process serves no health and no metrics: {}; set management.port", e.getMessage());
      return 0;
    }
  }

  private void startWeb() {
    var address = new WebServer.ListenAddress(settings.web().address(), settings.web().port());
    var server = WebServer.start(
        address, registry instanceof BuiltInRegistry builtIn ? List.of(new SchemaRegistryRoutes(builtIn)) : List.of());
    webPort = parts.add("the web port", server).port();
  }

  private void startStreams(KafkaCluster cluster, SourceSettings source) {
    var stream = new StreamSettings(
        cluster.bootstrapServers(), streamStates, 1, Duration.ofMillis(200), settings.kafka().properties());
    var app = parts.add(
        "streams of " + source.name(), StreamApplication.start(topics(settings, source), registry, stream));
    health.add(new StreamHealthCheck(source.name(), app));
    metrics.stream(source.name(), app);
    app.ended().whenComplete((done, failure) -> {
      if (failure != null) {
        parts.fail(failure);
      }
    });
  }

  private void startReceivers(KafkaCluster cluster, SourceSettings source) {
    if (settings.receivers().isEmpty()) {
      return;
    }
    var receivers = parts.add("receivers of " + source.name(), Receivers.start(
        settings.receivers(), topics(settings, source), registry, cluster.clientConfig(),
        metrics.source(source.name()).deliveries(settings.receivers())));
    settings.receivers().forEach(receiver -> health.add(
        new ReceiverHealthCheck(source.name(), receiver.name(), () -> receivers.problem(receiver.name()))));
  }

  private void startSources(KafkaCluster cluster) {
    var group = new GroupSettings(cluster.clientConfig(), instance());
    var configured = settings.sources().stream().map(source -> configured(cluster, source)).toList();
    var sources = parts.add("sources", new Sources(
        configured, registry, group, settings.topics().layout().replication(), parts::fail));
    health.add(() -> SourceHealthCheck.group(sources));
    sources.runners().forEach(runner -> {
      metrics.source(runner.name()).show(() -> runner.state().status(), runner::kafkaOutageSince);
      health.add(new SourceHealthCheck(runner.name(), runner::state, InstantSource.system()));
    });
  }

  private ConfiguredSource configured(KafkaCluster cluster, SourceSettings source) {
    var ledger = new LedgerSettings(
        source.name(), instance(), topics(settings, source), settings.topics().layout(), cluster.clientConfig())
        .withLocalStore(settings.localStore());
    var rules = settings.rules().compile(ledger.topics().ruleSchemas());
    return new ConfiguredSource(
        source, ledger, () -> announcements(rules, ledger.topics()), metrics.source(source.name()));
  }

  /** The rules of the configuration, and those that commands apply. */
  public static Announcements announcements(RuleSet rules, Topics topics) {
    var inForce = new RuleAnnouncements(rules, topics.ruleSchemas(), topics.retention().changes());
    return new Announcements() {
      @Override
      public void apply(Watch command) {
        inForce.apply(command);
      }

      @Override
      public void announceDue(Ledger ledger, Instant now) {
        inForce.takeDue(now).forEach(each -> ledger.announce(each.kind(), each.version(), each.text()));
      }
    };
  }

  private void makeTopics(KafkaCluster cluster) {
    try (var admin = cluster.admin()) {
      new TopicSetup(admin, settings.topics().layout()).ensure(topics(settings));
    }
  }

  /** The topics of all sources. */
  public static List<Topic<?>> topics(Settings settings) {
    return settings.sources().stream()
        .<Topic<?>>flatMap(source -> topics(settings, source).all().stream())
        .toList();
  }

  public static Topics topics(Settings settings, SourceSettings source) {
    return new Topics(source.prefix(), settings.topics().retention());
  }

  /** The name of this process among the instances: {@code pid@host}. */
  public static String instance() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }
}

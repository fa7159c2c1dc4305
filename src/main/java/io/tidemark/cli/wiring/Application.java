package io.tidemark.cli.wiring;

import io.tidemark.source.Sources.ConfiguredSource;
import io.tidemark.source.CommandAnnouncer.Announcements;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.event.Watch;
import io.tidemark.ledger.Ledger;
import java.time.Instant;
import io.tidemark.cli.Main;
import io.tidemark.config.RegistrySettings;
import io.tidemark.config.Settings;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.metrics.ProgramMetrics;
import io.tidemark.receiver.Receivers;
import io.tidemark.source.GroupSettings;
import io.tidemark.source.SourceSettings;
import io.tidemark.source.Sources;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.ConfluentRegistry;
import io.tidemark.topic.RegistryLogin;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicSetup;
import io.tidemark.topic.Topics;
import io.tidemark.web.RegistryRoutes;
import io.tidemark.web.WebServer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** How the program is put together: made top-down, role by role, and closed in reverse. */
public final class Application {

  private final Settings settings;
  private final Path streamStates;
  private final StartedParts running;
  private final SchemaRegistry registry;
  private final HealthChecks checks = new HealthChecks();
  private final ProgramMetrics meters;
  private int webPort;
  private int managementPort;

  /** @param streamStates where streams keep their stores; what is lost there is restored from Kafka */
  public Application(Settings settings, Path streamStates, StartedParts running) {
    this.settings = settings;
    this.streamStates = streamStates;
    this.running = running;
    this.registry = registry(settings.registry(), topics(settings));
    this.meters = running.add("metrics", new ProgramMetrics(Main.VERSION));
  }

  /** Starts roles and returns when all are at work. */
  public KafkaCluster start(Set<Role> roles) {
    managementPort = ManagementServer.start(settings.management(), checks, meters, running);
    var cluster = KafkaCluster.of(settings.kafka(), running);
    makeTopics(cluster);
    if (roles.contains(Role.WEB)) {
      web();
    }
    if (roles.contains(Role.STREAM)) {
      settings.sources().forEach(source -> stream(cluster, source));
      settings.sources().forEach(source -> receivers(cluster, source));
    }
    if (roles.contains(Role.POLL)) {
      poll(cluster);
    }
    checks.started();
    running.add("readiness", checks::stopping);
    return cluster;
  }

  public SchemaRegistry registry() {
    return registry;
  }

  public List<Topic<?>> topics() {
    return topics(settings);
  }

  /** Where the web port listens; 0 where it does not. */
  public int webPort() {
    return webPort;
  }

  /** Where health and metrics are served; 0 where they are not. */
  public int managementPort() {
    return managementPort;
  }

  /** Pages that people and programs read. */
  private void web() {
    var web = new WebServer.ListenAddress(settings.web().address(), settings.web().port());
    var server = WebServer.start(
        web, registry instanceof BuiltInRegistry builtIn ? List.of(new RegistryRoutes(builtIn)) : List.of());
    webPort = running.add("the web port", server).port();
  }

  /** Aggregates and alerts of a source. */
  private void stream(KafkaCluster cluster, SourceSettings source) {
    var stream = new StreamSettings(
        cluster.bootstrapServers(), streamStates, 1, Duration.ofMillis(200), settings.kafka().properties());
    var app = running.add(
        "streams of " + source.name(),
        StreamApplication.start(topics(settings, source), registry, stream));
    var pulse = new StreamHealthCheck(source.name(), app);
    checks.add(pulse::live, pulse::ready);
    meters.stream(source.name(), app);
    app.ended().whenComplete((done, failure) -> {
      if (failure != null) {
        running.failed(failure);
      }
    });
  }

  /** Who is told of a source's alerts. */
  private void receivers(KafkaCluster cluster, SourceSettings source) {
    if (settings.receivers().isEmpty()) {
      return;
    }
    var receivers = running.add("receivers of " + source.name(), Receivers.start(
        settings.receivers(), topics(settings, source), registry, cluster.clientConfig(),
        meters.source(source.name()).deliveries(settings.receivers())));
    settings.receivers().forEach(receiver -> {
      var pulse = new ReceiverHealthCheck(source.name(), receiver.name(), () -> receivers.problem(receiver.name()));
      checks.add(pulse::live, pulse::ready);
    });
  }

  /** Polls the service, and commits the changes. */
  private void poll(KafkaCluster cluster) {
    var group = new GroupSettings(cluster.clientConfig(), instance());
    var configured = settings.sources().stream().map(source -> configured(cluster, source)).toList();
    var sources = running.add("sources", Sources.start(
        configured, registry, group, settings.topics().layout().replication(), running::failed));
    checks.add(() -> SourceHealthCheck.group(sources), () -> SourceHealthCheck.group(sources));
    sources.runners().forEach(runner -> {
      meters.source(runner.name()).show(() -> runner.state().status(), runner::kafkaOutageSince);
      var check = new SourceHealthCheck(runner.name(), runner::state, InstantSource.system());
      checks.add(check::live, check::ready);
    });
  }

  private ConfiguredSource configured(KafkaCluster cluster, SourceSettings source) {
    var ledger = ledger(cluster, source);
    var rules = settings.rules().compile(ledger.topics().ruleSchemas());
    return new ConfiguredSource(
        source, ledger, () -> announcements(rules, ledger.topics()), meters.source(source.name()));
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

  private LedgerSettings ledger(KafkaCluster cluster, SourceSettings source) {
    return new LedgerSettings(
        source.name(), instance(), topics(settings, source), settings.topics().layout(), cluster.clientConfig())
        .withLocalStore(settings.localStore());
  }

  private void makeTopics(KafkaCluster cluster) {
    try (var admin = cluster.admin()) {
      new TopicSetup(admin, settings.topics().layout()).ensure(topics(settings));
    }
  }

  public static SchemaRegistry registry(RegistrySettings settings, List<Topic<?>> topics) {
    if (settings.url() == null) {
      return new BuiltInRegistry(topics);
    }
    var login = settings.user() == null || settings.password() == null
        ? null
        : new RegistryLogin(settings.user(), settings.password().value());
    return new ConfluentRegistry(settings.url(), login, RegistryHttpClient.client(settings.caFile()));
  }

  /** All topics of all sources. */
  public static List<Topic<?>> topics(Settings settings) {
    return settings.sources().stream()
        .<Topic<?>>flatMap(source -> topics(settings, source).all().stream())
        .toList();
  }

  public static Topics topics(Settings settings, SourceSettings source) {
    return new Topics(source.prefix(), settings.topics().retention());
  }

  /** This program, by a name that people recognise: process@host. */
  public static String instance() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }
}

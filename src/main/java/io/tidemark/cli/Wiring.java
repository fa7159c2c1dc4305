package io.tidemark.cli;

import io.tidemark.cli.meter.Meters;
import io.tidemark.cli.settings.RegistrySettings;
import io.tidemark.cli.settings.Settings;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.ledger.GroupSettings;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.receiver.Receivers;
import io.tidemark.stream.StreamApp;
import io.tidemark.stream.StreamSettings;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.ConfluentRegistry;
import io.tidemark.topic.Login;
import io.tidemark.topic.Registry;
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
final class Wiring {

  private final Settings settings;
  private final Path streamStates;
  private final Running running;
  private final Registry registry;
  private final Checks checks = new Checks();
  private final Meters meters;
  private int webPort;
  private int managementPort;

  /** @param streamStates where streams keep their stores; what is lost there is restored from Kafka */
  Wiring(Settings settings, Path streamStates, Running running) {
    this.settings = settings;
    this.streamStates = streamStates;
    this.running = running;
    this.registry = registry(settings.registry(), topics(settings));
    this.meters = running.add("metrics", new Meters(Main.VERSION));
  }

  /** Starts roles and returns when all are at work. */
  Cluster start(Set<Role> roles) {
    managementPort = Management.start(settings.management(), checks, meters, running);
    var cluster = Cluster.of(settings.kafka(), running);
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

  Registry registry() {
    return registry;
  }

  List<Topic<?>> topics() {
    return topics(settings);
  }

  /** Where the web port listens; 0 where it does not. */
  int webPort() {
    return webPort;
  }

  /** Where health and metrics are served; 0 where they are not. */
  int managementPort() {
    return managementPort;
  }

  /** Pages that people and programs read. */
  private void web() {
    var web = new WebServer.Settings(settings.web().address(), settings.web().port());
    var server = WebServer.start(
        web, registry instanceof BuiltInRegistry builtIn ? List.of(new RegistryRoutes(builtIn)) : List.of());
    webPort = running.add("the web port", server).port();
  }

  /** Aggregates and alerts of a source. */
  private void stream(Cluster cluster, SourceSettings source) {
    var stream = new StreamSettings(
        cluster.bootstrapServers(), streamStates, 1, Duration.ofMillis(200), settings.kafka().properties());
    var app = running.add(
        "streams of " + source.name(),
        StreamApp.start(topics(settings, source), registry, stream));
    var pulse = new StreamPulse(source.name(), app);
    checks.add(pulse::live, pulse::ready);
    meters.stream(source.name(), app);
    app.ended().whenComplete((done, failure) -> {
      if (failure != null) {
        running.failed(failure);
      }
    });
  }

  /** Who is told of a source's alerts. */
  private void receivers(Cluster cluster, SourceSettings source) {
    if (settings.receivers().isEmpty()) {
      return;
    }
    var receivers = running.add("receivers of " + source.name(), Receivers.start(
        settings.receivers(), topics(settings, source), registry, cluster.client(),
        meters.source(source.name()).deliveries(settings.receivers())));
    settings.receivers().forEach(receiver -> {
      var pulse = new ReceiverPulse(source.name(), receiver.name(), () -> receivers.trouble(receiver.name()));
      checks.add(pulse::live, pulse::ready);
    });
  }

  /** Looks at the service, and the changes in Kafka that come of them. */
  private void poll(Cluster cluster) {
    var group = new GroupSettings(cluster.client(), instance());
    var sources = running.add("sources", Sources.start(settings.sources(), source -> ledger(cluster, source),
        ledger -> settings.rules().compiled(ledger.topics().onTheTape()), registry, group,
        settings.topics().layout().replication(), meters, running::failed));
    checks.add(sources::pulse, sources::pulse);
    sources.atWork().forEach(source -> {
      var pulse = new SourcePulse(source::health, InstantSource.system());
      checks.add(pulse::live, pulse::ready);
    });
  }

  private LedgerSettings ledger(Cluster cluster, SourceSettings source) {
    return new LedgerSettings(
        source.name(), instance(), topics(settings, source), settings.topics().layout(), cluster.client())
        .withLocalStore(settings.localStore());
  }

  private void makeTopics(Cluster cluster) {
    try (var admin = cluster.admin()) {
      new TopicSetup(admin, settings.topics().layout()).ensure(topics(settings));
    }
  }

  static Registry registry(RegistrySettings settings, List<Topic<?>> topics) {
    if (settings.url() == null) {
      return new BuiltInRegistry(topics);
    }
    var login = settings.user() == null || settings.password() == null
        ? null
        : new Login(settings.user(), settings.password().value());
    return new ConfluentRegistry(settings.url(), login, RegistryHttp.client(settings.caFile()));
  }

  /** All topics of all sources. */
  static List<Topic<?>> topics(Settings settings) {
    return settings.sources().stream()
        .<Topic<?>>flatMap(source -> topics(settings, source).all().stream())
        .toList();
  }

  static Topics topics(Settings settings, SourceSettings source) {
    return new Topics(source.prefix(), settings.topics().retention());
  }

  /** This program, by a name that people recognise: process@host. */
  static String instance() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }
}

package io.tidemark.cli;

import io.tidemark.cli.settings.RegistrySettings;
import io.tidemark.cli.settings.Settings;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.stream.StreamApp;
import io.tidemark.stream.StreamSettings;
import io.tidemark.stream.alert.AlertSettings;
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
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** How the program is put together: made top-down, role by role, and closed in reverse. */
final class Wiring {

  private final Settings settings;
  private final Path streamStates;
  private final Running running;
  private final Registry registry;
  private final AtomicInteger polled = new AtomicInteger();
  private int webPort;

  /** @param streamStates where streams keep their stores; what is lost there is restored from Kafka */
  Wiring(Settings settings, Path streamStates, Running running) {
    this.settings = settings;
    this.streamStates = streamStates;
    this.running = running;
    this.registry = registry(settings.registry(), topics(settings));
  }

  /** Starts roles and returns when all are at work. */
  Cluster start(Set<Role> roles) {
    var cluster = Cluster.of(settings.kafka(), running);
    makeTopics(cluster);
    if (roles.contains(Role.WEB)) {
      web();
    }
    polled.set(settings.sources().size());
    for (var source : settings.sources()) {
      if (roles.contains(Role.STREAM)) {
        stream(cluster, source);
      }
      if (roles.contains(Role.POLL)) {
        poll(cluster, source);
      }
    }
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
        StreamApp.start(topics(settings, source), registry, AlertSettings.DEFAULT, stream));
    app.ended().whenComplete((done, failure) -> {
      if (failure != null) {
        running.failed(failure);
      }
    });
  }

  /** Looks at the service, and the changes in Kafka that come of them. */
  private void poll(Cluster cluster, SourceSettings source) {
    var ledger = new LedgerSettings(
        source.name(), instance(), topics(settings, source), settings.topics().layout(), cluster.client());
    running.add("source " + source.name(), SourceAtWork.start(source, ledger, registry, this::ended));
  }

  /** Other sources go on without it; with the last one all ends. */
  private void ended(Throwable failure) {
    if (polled.decrementAndGet() == 0) {
      running.failed(failure);
    }
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
    return new ConfluentRegistry(settings.url(), login, HttpClient.newHttpClient());
  }

  /** All topics of all sources. */
  static List<Topic<?>> topics(Settings settings) {
    return settings.sources().stream()
        .<Topic<?>>flatMap(source -> topics(settings, source).all().stream())
        .toList();
  }

  private static Topics topics(Settings settings, SourceSettings source) {
    return new Topics(source.prefix(), settings.topics().retention());
  }

  /** This program, by a name that people recognise: process@host. */
  private static String instance() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }
}

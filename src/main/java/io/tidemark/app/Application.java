package io.tidemark.app;

import io.tidemark.app.config.Settings;
import io.tidemark.app.config.Settings.ListenerSettings;
import io.tidemark.app.metrics.ProgramMetrics;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.StateTopics;
import io.tidemark.capture.ledger.StateTopics.LostTopic;
import io.tidemark.capture.source.CommandAnnouncer.Announcements;
import io.tidemark.capture.source.GroupSettings;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.capture.source.SourceSlots;
import io.tidemark.capture.source.Sources;
import io.tidemark.capture.source.Sources.ConfiguredSource;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.Watch;
import io.tidemark.http.server.ConnectionLimits;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.server.ReloadedTls.TlsFiles;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.OpenTransactionMonitor;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.SchemaTopic;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.TransactionProtocol;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.market.Query;
import io.tidemark.notify.Receiver;
import io.tidemark.notify.Receivers;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.serve.candle.CandleHistory;
import io.tidemark.serve.candle.CandleHistory.CandleMemory;
import io.tidemark.serve.feed.FeedLimits;
import io.tidemark.serve.feed.Feeds;
import io.tidemark.serve.mirror.MirrorReader;
import io.tidemark.serve.web.AccessControl;
import io.tidemark.serve.web.ApiDocumentRoutes;
import io.tidemark.serve.web.CandleRoutes;
import io.tidemark.serve.web.CommandRoutes;
import io.tidemark.serve.web.CommandRoutes.CommandedSource;
import io.tidemark.serve.web.FeedRoutes;
import io.tidemark.serve.web.LatestRoutes;
import io.tidemark.serve.web.LoginRoutes;
import io.tidemark.serve.web.ManagementRoutes;
import io.tidemark.serve.web.PageRoutes;
import io.tidemark.serve.web.RuleRoutes;
import io.tidemark.serve.web.SchemaRegistryRoutes;
import io.tidemark.serve.web.ServedApi;
import io.tidemark.serve.web.SilenceRoutes;
import io.tidemark.serve.web.StatusReader;
import io.tidemark.serve.web.StatusRoutes;
import io.tidemark.serve.web.StreamRoutes;
import io.tidemark.serve.web.WatchRoutes;
import io.tidemark.serve.web.WebServer;
import io.tidemark.stream.InternalTopics;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRoutes;

/** The wiring of the program. Creates and starts the parts of the program from the settings, role by role. */
public final class Application {

  public static final String VERSION = "0.1.0";

  private static final Logger LOG = LoggerFactory.getLogger(Application.class);

  private final Settings settings;
  private final Path streamStates;
  private final RunningComponents parts;
  private final SchemaRegistry registry;

  /** Has the schemas of the stream stores and, unless an external registry is configured, those of the topics. */
  private final BuiltInRegistry builtIn;
  private final HealthChecks health = new HealthChecks();
  private final Duration longestPause;
  private final Scheduler restarts;
  private final ProgramMetrics metrics;
  private final Traces traces;
  private boolean isCapturing;
  private @Nullable RestartedRole<WebServer> web;
  private final List<RestartedRole<?>> derivedRoles = new ArrayList<>();
  private int managementPort;

  /**
   * @param streamStates the folder of the stream stores, which are restored from Kafka if the folder is empty
   * @param parts collects every started part; the caller must close it
   */
  public Application(Settings settings, Path streamStates, RunningComponents parts) {
    this(settings, streamStates, parts, RestartedRole.LONGEST_PAUSE);
  }

  /** @param longestPause longest pause before a restart of a derived role (streams, receivers or web server) */
  Application(Settings settings, Path streamStates, RunningComponents parts, Duration longestPause) {
    this.longestPause = longestPause;
    this.settings = settings;
    this.streamStates = streamStates;
    this.parts = parts;
    this.registry = Registries.of(settings.registry(), topics(settings));
    this.builtIn = registry.builtIn();
    this.metrics = parts.add("metrics", new ProgramMetrics(VERSION));
    this.traces = settings.tracing() == null ? Traces.OFF
        : parts.addShared("traces", new OtlpTraces(settings.tracing(), VERSION, instance(),
            metrics.spans("exported"), metrics.spans("dropped")));
    // after a client has disconnected or a source has stopped polling, nobody waits for the answer, so its failure is
    // no error
    Hooks.onErrorDropped(
        failure -> LOG.debug("ignored a failure of an operation, because its subscriber had cancelled", failure));
    this.restarts = Schedulers.newBoundedElastic(4, 1_000, "role-restarts", 60, true);
    parts.add("restarts of roles", restarts::dispose);
  }

  /**
   * Starts the given roles and returns the Kafka cluster. Does not wait until the sources are polled or the streams
   * run. In a process that polls, a derived role whose start failed is started again later.
   */
  public KafkaCluster start(Set<Role> roles) {
    var rules = roles.contains(Role.POLL) ? startCompilingRules() : null;
    managementPort = startManagement();
    var cluster = KafkaCluster.of(settings.kafka(), parts);
    var transactions = checkTransactions(cluster);
    var schemas =
        parts.add("the topic of schemas", new SchemaTopic(settings.topics().ofCluster(), cluster::clientConfig));
    builtIn.lookUpIn(schemas);
    makeTopics(cluster, roles);
    builtIn.publishIn(schemas);
    settings.sources().forEach(source -> watchTransactions(cluster, source));
    roles.forEach(role -> metrics.show(role.toString()));
    isCapturing = roles.contains(Role.POLL);
    if (roles.contains(Role.WEB)) {
      startWeb(cluster);
    }
    if (roles.contains(Role.STREAM)) {
      settings.sources().forEach(source -> startStreams(cluster, source));
      settings.sources().forEach(source -> startReceivers(cluster, source));
    }
    if (rules != null) {
      startSources(cluster, transactions, compiled(rules));
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

  /** Returns the port of the web server, or 0 if the web server does not run. */
  public int webPort() {
    var server = web == null ? null : web.running();
    return server == null ? 0 : server.port();
  }

  /** Returns why the web server does not run, or null if it runs or this process does not have the role {@code web}. */
  public @Nullable String webProblem() {
    return web == null ? null : web.problem();
  }

  /** Returns the streams, receivers and web server of this process, in the order of their start. */
  List<RestartedRole<?>> derivedRoles() {
    return derivedRoles;
  }

  /** Returns the port that serves health and metrics, or 0 if this process does not serve them. */
  public int managementPort() {
    return managementPort;
  }

  /**
   * Serves health and metrics and returns the port. If the program cannot listen, returns 0 if the configuration does
   * not contain this listener, and otherwise throws the failure.
   */
  private int startManagement() {
    var listener = settings.management();
    var address = listenAddress("management", listener, null);
    var routes = new ManagementRoutes(health::started, health::live, health::ready, metrics::scrape);
    var access = listener.isLoopback() ? AccessControl.loopbackOnly() : AccessControl.open();
    try {
      return parts.add("the management port", WebServer.start(
          address, List.of(routes), access, metrics.listener("management"))).port();
    } catch (IllegalStateException e) {
      if (listener.configured()) {
        throw e;
      }
      LOG.warn("this process does not serve health and metrics, because it cannot listen on the default port;"
          + " set management.port to a free port. Cause: {}", e.getMessage());
      return 0;
    }
  }

  private TransactionProtocol checkTransactions(KafkaCluster cluster) {
    var transactions = parts.add("the transaction protocol", new TransactionProtocol(
        cluster.admin(), cluster.bootstrapServers(), settings.kafka().requiredTransactionVersion()));
    transactions.check();
    metrics.transactionProtocol(transactions);
    health.add(HealthCheck.transactionProtocol(transactions));
    return transactions;
  }

  private void watchTransactions(KafkaCluster cluster, SourceSettings source) {
    var monitor = parts.add("open transactions of " + source.name(),
        OpenTransactionMonitor.start(topics(settings, source), cluster.admin()));
    metrics.openTransactions(source.name(), monitor);
    health.add(HealthCheck.openTransactions(source.name(), monitor));
  }

  private void startWeb(KafkaCluster cluster) {
    var access = new AccessControl(settings.access(), InstantSource.system());
    var routes = new ArrayList<Consumer<HttpServerRoutes>>();
    routes.add(new PageRoutes());
    routes.add(new ApiDocumentRoutes(servedApi(cluster)));
    routes.add(new LoginRoutes(access));
    var statuses = settings.sources().stream().map(source -> startStatus(cluster, source)).toList();
    var status = new StatusRoutes(
        statuses.stream().map(CommandedSource::status).toList(), health::ready, InstantSource.system());
    routes.add(status);
    var commands = new CommandRoutes(access, statuses, InstantSource.system());
    routes.add(new SilenceRoutes(commands));
    routes.add(new RuleRoutes(commands, settings.receivers().stream().map(Application::row).toList()));
    routes.add(new WatchRoutes(commands));
    if (registry instanceof BuiltInRegistry builtIn) {
      routes.add(new SchemaRegistryRoutes(builtIn));
    }
    var limits = FeedLimits.ofHeap();
    var allFeeds = new ArrayList<Feeds>();
    var memory = new CandleMemory();
    settings.sources().forEach(source -> {
      var mirror = startMirror(cluster, source);
      var topics = topics(settings, source);
      var quarantine = quarantine(source, ReaderRole.FEEDS, topics.all());
      var ofSource = new Feeds(quarantine, topics, registry, cluster.clientConfig(), limits);
      metrics.feeds(ofSource);
      allFeeds.add(ofSource);
      var candles = parts.add("the candles of " + source.name(), new CandleHistory(
          quarantine, topics, registry, cluster.clientConfig(), limits, memory, InstantSource.system()));
      var named = "/sources/" + URLEncoder.encode(source.name(), StandardCharsets.UTF_8).replace("+", "%20");
      var isFirst = source.equals(settings.sources().getFirst());
      for (var path : isFirst ? List.of("", named) : List.of(named)) {
        // takes any key, because the access control of the listener has already checked the key of the request
        var market = new MarketRoutes(path + MarketRoutes.PREFIX,
            QueryResponder.of(mirror.mirror(), settings.fieldNames(), InstantSource.system()), InstantSource.system());
        routes.add(new CandleRoutes(path, market, mirror, candles, access, InstantSource.system()));
        routes.add(market::addTo);
      }
    });
    var feeds = new FeedRoutes(allFeeds, status, access, InstantSource.system());
    routes.add(feeds);
    routes.add(new StreamRoutes(feeds, access, InstantSource.system(), StreamRoutes.PING_INTERVAL));
    routes.add(parts.add("the newest records", new LatestRoutes(feeds, access, InstantSource.system())));
    var listener = metrics.listener("web");
    var role = startRole("web", "web", "all",
        () -> WebServer.start(listenAddress("web", settings.web(), settings.webTls()), routes, access, listener),
        WebServer::ended);
    web = role;
    // added after the web server and so closed before it: readers receive the reason while their connections are open
    parts.add("the feeds", feeds);
    health.add(servingCheck(HealthCheck.web(role::running, role::problem)));
  }

  private ServedApi servedApi(KafkaCluster cluster) {
    var sources = settings.sources().stream()
        .map(source -> new ServedApi.ServedSource(source.name(), topics(settings, source))).toList();
    var management = managementPort == 0 ? null : settings.management().address() + ":" + managementPort;
    return new ServedApi(VERSION, sources, settings.topics().ofCluster(), settings.fieldNames(),
        registry instanceof BuiltInRegistry, management,
        cluster.clientConfig());
  }

  private static Map<String, Object> row(Receiver receiver) {
    return Map.of("name", receiver.name(), "match", receiver.match(), "notifications",
        receiver.limit().notifications(), "per", DurationFormat.format(receiver.limit().period()));
  }

  private CommandedSource startStatus(KafkaCluster cluster, SourceSettings source) {
    var topics = topics(settings, source);
    var configured = source.watch().targets().stream().map(each -> each.target().name()).collect(Collectors.toSet());
    var status = parts.add("the status of " + source.name(),
        new StatusReader(source.name(), configured, topics, registry, cluster.clientConfig()));
    return new CommandedSource(status, new CommandPublisher(topics, registry, cluster.clientConfig()),
        new SourceWatchList(source, status), () -> settings.rules().compile(topics.ruleSchemas()));
  }

  /** The mirror answers from the states in Kafka, so its answers cost no calls of the source's API keys. */
  private MirrorReader startMirror(KafkaCluster cluster, SourceSettings source) {
    var topics = topics(settings, source);
    var reader = parts.add("the mirror of " + source.name(), new MirrorReader(
        quarantine(source, ReaderRole.MIRROR, MirrorReader.inputs(topics)), topics, registry, cluster.clientConfig(),
        Endpoints::parseTarget,
        source.watch().targets().stream().<Query<?>>map(each -> each.target().query()).toList(),
        day -> source.watch().histories().stream()
            .anyMatch(each -> each.coin().equals(day.id()) && each.has(day.date(), Instant.now())),
        InstantSource.system()));
    health.add(servingCheck(HealthCheck.mirror(source.name(), reader)));
    metrics.mirror(source.name(), reader);
    return reader;
  }

  /**
   * Starts a derived role. In a process that also polls, the role restarts whenever it fails. In any other process, a
   * failure of the role ends the process.
   *
   * @param name name of the role, for people
   * @param label the role's label in metrics
   */
  private <T extends AutoCloseable> RestartedRole<T> startRole(String name, String label, String source,
      Supplier<T> start, Function<T, CompletionStage<?>> end) {
    var role = new RestartedRole<>(name, start, end, metrics.roleFailures(label, source), restarts, longestPause);
    metrics.role(label, source, () -> role.running() != null && role.problem() == null);
    derivedRoles.add(role);
    return parts.add(name, isCapturing ? role.begin() : role.beginOnce(parts::fail));
  }

  private void add(HealthCheck role) {
    health.add(isCapturing ? HealthCheck.besidePolling(role) : role);
  }

  private HealthCheck servingCheck(HealthCheck part) {
    return isCapturing ? HealthCheck.liveBesidePolling(part) : part;
  }

  private static WebServer.ListenAddress listenAddress(
      String name, ListenerSettings listener, @Nullable TlsFiles tls) {
    return new WebServer.ListenAddress(name, listener.address(), listener.port(),
        ConnectionLimits.of(listener.maxConnections(), listener.maxPerAddress()), tls);
  }

  private void startStreams(KafkaCluster cluster, SourceSettings source) {
    var stream = new StreamSettings(
        cluster.bootstrapServers(), streamStates, streamThreads(), Duration.ofMillis(200),
        settings.kafka().properties());
    var topics = topics(settings, source);
    var quarantine = quarantine(source, ReaderRole.STREAM, StreamApplication.inputs(topics));
    var role = startRole("streams of " + source.name(), "stream", source.name(),
        () -> {
          var app = StreamApplication.start(topics, registry, builtIn, quarantine, traces, stream);
          metrics.stream(source.name(), app);
          return app;
        }, StreamApplication::ended);
    add(HealthCheck.streams(source.name(), () -> {
      var app = role.running();
      return app == null ? null : app.kafka().state();
    }, role::problem));
  }

  private int streamThreads() {
    return settings.streamThreads() > 0
        ? settings.streamThreads()
        : StreamSettings.threads(
            Runtime.getRuntime().availableProcessors(), settings.topics().layout().partitions(),
            settings.sources().size());
  }

  private void startReceivers(KafkaCluster cluster, SourceSettings source) {
    if (settings.receivers().isEmpty()) {
      return;
    }
    var topics = topics(settings, source);
    var quarantine = quarantine(source, ReaderRole.RECEIVER, List.of(topics.alerts()));
    var deliveries = metrics.source(source.name()).deliveries(settings.receivers());
    var role = startRole("receivers of " + source.name(), "receivers", source.name(),
        () -> Receivers.start(
            settings.receivers(), topics, registry, cluster.clientConfig(), quarantine, deliveries, traces),
        receivers -> new CompletableFuture<>()); // never ends: each receiver recovers from its failures by itself
    settings.receivers().forEach(receiver -> add(HealthCheck.receiver(source.name(), receiver.name(), () -> {
      var receivers = role.running();
      return receivers == null ? role.problem() : receivers.problem(receiver.name());
    })));
  }

  /**
   * Starts to compile the rules of the configuration while the program connects to Kafka. All sources have the same
   * rules.
   */
  private CompletableFuture<RuleSet> startCompilingRules() {
    var topics = topics(settings, settings.sources().getFirst()).ruleSchemas();
    return CompletableFuture.supplyAsync(() -> settings.rules().compile(topics),
        compiling -> Thread.ofPlatform().daemon().name("configured-rules").start(compiling));
  }

  private static RuleSet compiled(CompletableFuture<RuleSet> compiling) {
    try {
      return compiling.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
    }
  }

  private void startSources(KafkaCluster cluster, TransactionProtocol transactions, RuleSet rules) {
    var group = new GroupSettings(cluster.clientConfig(), settings.topics().ofCluster(), instance());
    var configured =
        settings.sources().stream().map(source -> configured(cluster, transactions, source, rules)).toList();
    var sources = parts.add("sources", new Sources(
        configured, registry, group, settings.topics().layout().replication(), parts::fail));
    health.add(HealthCheck.group(sources));
    sources.runners().forEach(runner -> {
      metrics.source(runner.name()).show(() -> runner.state().status(), runner::kafkaOutageSince);
      health.add(HealthCheck.source(runner.name(), runner::state, InstantSource.system()));
    });
  }

  private ConfiguredSource configured(
      KafkaCluster cluster, TransactionProtocol transactions, SourceSettings source, RuleSet rules) {
    var ledger = ledger(cluster, source);
    show(ledger.quarantine());
    return new ConfiguredSource(
        source, ledger, transactions,
        () -> announcements(rules, ledger.topics(), metrics.source(source.name())::showRulesOutOfForce),
        metrics.source(source.name()));
  }

  /** Creates the quarantine of the records that a role of a source cannot use, and adds it to metrics and health. */
  public Quarantine quarantine(SourceSettings source, ReaderRole role, List<Topic<?>> topics) {
    return show(new Quarantine(source.name(), role, topics, InstantSource.system()));
  }

  private Quarantine show(Quarantine quarantine) {
    metrics.quarantine(quarantine);
    health.add(HealthCheck.quarantine(quarantine, InstantSource.system()));
    return quarantine;
  }

  private LedgerSettings ledger(KafkaCluster cluster, SourceSettings source) {
    return new LedgerSettings(
        source.name(), instance(), topics(settings, source), settings.topics().layout(), cluster.clientConfig(),
        settings.localStore(), settings.kafka().openTransactionWait(), traces);
  }

  /**
   * Returns an object that announces the configured rules, and the rules and silences that commands change, in the
   * ledger.
   *
   * @param outOfForce receives the number of rules that are out of force because their evaluation failed
   */
  public static Announcements announcements(RuleSet rules, Topics topics, IntConsumer outOfForce) {
    var inForce = new RuleAnnouncements(rules, topics.ruleSchemas(), topics.retention().changes());
    return new Announcements() {
      @Override
      public void apply(Watch command) {
        inForce.apply(command);
      }

      @Override
      public void announceDue(Ledger ledger, Instant now) {
        inForce.takeDue(now).forEach(each -> ledger.announce(each.kind(), each.version(), each.text()));
        outOfForce.accept(inForce.outOfForce().size());
      }
    };
  }

  /**
   * Creates missing topics or, if {@code topics.create} is false, only verifies the required topics. Leaves out topics
   * that a source had before and has lost. The session of that source reports its lost topics and refuses to start.
   */
  private void makeTopics(KafkaCluster cluster, Set<Role> roles) {
    var lost = settings.sources().stream().flatMap(source -> lost(cluster, source).stream()).toList();
    var names = lost.stream().map(LostTopic::topic).toList();
    try (var admin = cluster.admin()) {
      var layout = settings.topics().layout();
      if (!settings.topics().create()) {
        new TopicSetup(admin, layout).verify(requiredTopics(settings, roles).stream()
            .filter(topic -> !names.contains(topic.name())).toList(), settings.topics().ofCluster().all());
        return;
      }
      new TopicSetup(admin, layout)
          .ensure(topics(settings).stream().filter(topic -> !names.contains(topic.name())).toList());
      new TopicSetup(admin, layout).grow(settings.topics().ofCluster().schemas(), 1);
    }
  }

  private List<LostTopic> lost(KafkaCluster cluster, SourceSettings source) {
    var lost = lost(ledger(cluster, source));
    lost.forEach(topic -> LOG.error("source {}: {}; the topic is neither created nor changed", source.name(), topic));
    return lost;
  }

  private List<LostTopic> lost(LedgerSettings ledger) {
    try {
      return StateTopics.lost(ledger, registry);
    } catch (SchemaRegistryFailure.RegistryUnreachable | TimeoutException e) {
      return StateTopics.mayBeLost(ledger, e);
    }
  }

  /** Returns the topics that have to exist before a process with these roles starts, if it may not create topics. */
  public static List<NewTopic> requiredTopics(Settings settings, Set<Role> roles) {
    var layout = settings.topics().layout();
    var ofCluster = settings.topics().ofCluster();
    var required = new ArrayList<NewTopic>();
    topics(settings).forEach(topic -> required.add(topic.toNewTopic(layout.partitions(), layout.replication())));
    if (roles.contains(Role.STREAM)) {
      settings.sources()
          .forEach(source -> required.addAll(
              InternalTopics.of(topics(settings, source), layout, settings.kafka().properties())));
    }
    if (roles.contains(Role.POLL)) {
      required.add(ofCluster.sources().toNewTopic(
          SourceSlots.partitions(settings.sources().size()), layout.replication()));
    }
    required.add(ofCluster.schemas().toNewTopic(1, layout.replication()));
    return required;
  }

  public static List<Topic<?>> topics(Settings settings) {
    return settings.sources().stream()
        .<Topic<?>>flatMap(source -> topics(settings, source).all().stream())
        .toList();
  }

  public static Topics topics(Settings settings, SourceSettings source) {
    return new Topics(source.prefix(), settings.topics().retention());
  }

  /** Returns the name of this process among the instances: {@code pid@host}. */
  public static String instance() {
    return ManagementFactory.getRuntimeMXBean().getName();
  }
}

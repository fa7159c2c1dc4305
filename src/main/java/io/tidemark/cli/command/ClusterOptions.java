package io.tidemark.cli.command;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.KafkaCluster;
import io.tidemark.app.Registries;
import io.tidemark.app.config.RegistrySettings;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.capture.source.WatchedBySource;
import io.tidemark.event.NameSuggestion;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.SchemaTopic;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/**
 * The options that name Kafka, registry and topics, by a configuration or by addresses. The default is the cluster of
 * the demo.
 */
public final class ClusterOptions {

  private static final String DEMO = "127.0.0.1:9092";

  /**
   * Client properties that disable metrics. Nobody reads the metrics of a short command, and registering metrics takes
   * time.
   */
  private static final Map<String, String> WITHOUT_METRICS =
      Map.of("metric.reporters", "", "enable.metrics.push", "false");

  private static final String DEFAULT_PREFIX = "tidemark.";

  @Option(names = "--config", paramLabel = "FILE", description = "The configuration that names Kafka and registry.")
  @Nullable
  Path config;

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT",
      description = "Kafka's bootstrap server (default: from the configuration, else the server of the demo, " + DEMO
          + ").")
  @Nullable
  String bootstrap;

  @Option(names = "--registry", paramLabel = "URL",
      description = "An external schema registry (default: from the configuration, else the built-in registry).")
  @Nullable
  URI registry;

  @Option(names = "--prefix", paramLabel = "PREFIX",
      description = "The prefix of the topics (default: from the configuration, else " + DEFAULT_PREFIX + ").")
  @Nullable
  String prefix;

  @Option(names = "--cluster-prefix", paramLabel = "PREFIX",
      description = "The prefix of the topic tidemark-schemas (default: from the configuration, else none).")
  @Nullable
  String clusterPrefix;

  private @Nullable Settings settings;
  private @Nullable KafkaCluster answered;
  private Set<String> existing = Set.of();

  public static ClusterOptions of(@Nullable Path config) {
    var options = new ClusterOptions();
    options.config = config;
    return options;
  }

  /**
   * Returns these options as part of a shell command that reaches the same cluster, with a space before each option.
   * Leaves out a registry address that contains a user or password.
   */
  String written() {
    return (config == null ? "" : " --config " + shellWord(config.toString()))
        + (bootstrap == null ? "" : " --bootstrap " + shellWord(bootstrap))
        + (registry == null || registry.getRawUserInfo() != null ? "" : " --registry " + shellWord(registry.toString()))
        + (prefix == null ? "" : " --prefix " + shellWord(prefix))
        + (clusterPrefix == null ? "" : " --cluster-prefix " + shellWord(clusterPrefix));
  }

  /** Returns these options as {@link #written()} does, and the source of a topic if the configuration has several. */
  String written(String topic) {
    var configured = settings();
    var sources = configured == null ? List.<SourceSettings>of() : configured.sources();
    return written() + sources.stream()
        .filter(source -> sources.size() > 1)
        .filter(source -> topicsOf(source.name()).all().stream().anyMatch(each -> each.name().equals(topic)))
        .map(source -> " --source " + shellWord(source.name()))
        .collect(Collectors.joining());
  }

  /** Returns a text as one word for a POSIX shell, in quotes if it has special characters. */
  private static String shellWord(String text) {
    return text.matches("[a-zA-Z0-9_./:@,+=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  /**
   * Returns the cluster, after the cluster has answered a request and has a topic with the prefix of a source.
   *
   * @throws CommandFailure if the cluster does not answer or has no such topic
   */
  public KafkaCluster cluster() {
    if (answered == null) {
      answered = unconnected();
      try (var admin = admin()) {
        existing = AdminCalls.await(admin.listTopics().names());
        requireTopics(answered.bootstrapServers());
      }
    }
    return answered;
  }

  /**
   * Throws an exception if no topic begins with any of the prefixes. Otherwise a command would wait for records of
   * topics that do not exist.
   */
  private void requireTopics(String at) {
    var prefixes = topicsBySource().stream().map(Topics::prefix).toList();
    if (existing.stream().noneMatch(name -> prefixes.stream().anyMatch(name::startsWith))) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "no topic begins with '" + String.join("' or '", prefixes) + "' at " + at + "; check "
              + (config == null ? "--prefix" : "the configured prefix, or start a role, which creates the topics"));
    }
  }

  /** Returns an admin client, after the cluster has answered a request of the client. */
  Admin admin() {
    return unconnected().requireListener().connectedAdmin();
  }

  private KafkaCluster unconnected() {
    var configured = settings();
    if (configured == null || bootstrap != null) {
      var servers = bootstrap == null ? DEMO : bootstrap;
      return at(servers, configured == null ? Map.of() : configured.kafka().properties());
    }
    var kafka = configured.kafka();
    var servers = kafka.embedded() == null ? kafka.bootstrapServers() : "127.0.0.1:" + kafka.embedded().port();
    return at(Objects.requireNonNull(servers), kafka.properties());
  }

  private static KafkaCluster at(String servers, Map<String, String> configured) {
    var properties = new HashMap<>(WITHOUT_METRICS);
    properties.putAll(configured);
    return KafkaCluster.at(servers, properties);
  }

  ClusterTopics clusterTopics() {
    var configured = settings();
    if (clusterPrefix != null) {
      return new ClusterTopics(clusterPrefix);
    }
    return configured == null ? ClusterTopics.UNPREFIXED : configured.topics().ofCluster();
  }

  public SchemaRegistry registry() {
    var configured = settings();
    var of = Registries.of(registry != null || configured == null
        ? new RegistrySettings(registry, null, null, null)
        : configured.registry(), topics());
    if (of instanceof BuiltInRegistry builtIn) {
      builtIn.lookUpIn(new SchemaTopic(clusterTopics(), () -> cluster().clientConfig()));
    }
    return of;
  }

  /**
   * Reads all records of a topic that are committed now, including tombstones, except unreadable records, which it
   * logs.
   */
  public void readAll(Topic<?> topic, Consumer<CommittedRecord> visitor) {
    try (var reader = reader(List.of(topic))) {
      reader.readAll(record -> {
        if (record.unreadable() == null) {
          visitor.accept(record);
        } else {
          LoggerFactory.getLogger(ClusterOptions.class).warn("skipped a record that cannot be read: {}",
              record.unreadable().describe());
        }
      });
    }
  }

  /** Reads the topics of a source to their ends, and returns the targets that the source watches. */
  public WatchedBySource watched(SourceSettings settings) {
    var topics = topicsOf(settings.name());
    var watched =
        new WatchedBySource(settings, newest(topics.watch()).values(), newest(topics.targetState()).values());
    watched.problems().forEach(LoggerFactory.getLogger(ClusterOptions.class)::warn);
    return watched;
  }

  /** Reads a topic to its end, and returns the newest record of each key that is no tombstone. */
  public <V extends SpecificRecord> Map<String, V> newest(Topic<V> topic) {
    var newest = new LinkedHashMap<String, V>();
    readAll(topic, record -> {
      if (record.value() == null) {
        newest.remove(record.keyText());
      } else {
        newest.put(record.keyText(), topic.value().cast(record.value()));
      }
    });
    return newest;
  }

  public TopicReader reader(List<? extends Topic<?>> topics) {
    return new TopicReader(cluster().clientConfig(), topics, registry());
  }

  /**
   * Returns a reader of topics that must exist.
   *
   * @throws CommandFailure if the cluster lacks one of them
   */
  TopicReader readerRequiringTopics(List<Topic<?>> topics) {
    var at = cluster().bootstrapServers();
    topics.stream().map(Topic::name).filter(name -> !existing.contains(name)).findFirst().ifPresent(name -> {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          ("Kafka at %s has no topic %s; 'tidemark topics%s' shows which topics exist. A role creates its topics when it"
              + " starts, unless topics.create is false").formatted(at, name, written()));
    });
    return reader(topics);
  }

  /**
   * Returns the topics of a source, or of the only source if {@code source} is null. Without a configuration, returns
   * the topics with the prefix of the options, whatever {@code source} is.
   */
  public Topics topicsOf(@Nullable String source) {
    var configured = settings();
    return configured == null ? topicsBySource().getFirst() : Application.topics(configured, source(source));
  }

  /**
   * Returns the topics of a source as {@link #topicsOf} does. Without a configuration, their retention is that of the
   * topic of pool changes in the cluster.
   */
  public Topics topicsWithActualRetention(@Nullable String source) {
    var topics = topicsOf(source);
    if (settings() != null) {
      return topics;
    }
    var changes = new ConfigResource(ConfigResource.Type.TOPIC, topics.pool().changes().name());
    try (var admin = admin()) {
      var configs = AdminCalls.awaitUnless(UnknownTopicOrPartitionException.class,
          admin.describeConfigs(List.of(changes)).all());
      var millis = configs == null ? 0
          : Long.parseLong(configs.values().iterator().next().get(TopicConfig.RETENTION_MS_CONFIG).value());
      var time = millis > 0 ? Duration.ofMillis(millis) : topics.retention().changes();
      return new Topics(topics.prefix(), new Retention(time, time, time, time));
    }
  }

  /** Returns the topics of one source as {@link #topicsOf} does, or of each source if {@code source} is null. */
  List<Topics> topicsOfAll(@Nullable String source) {
    return source == null ? topicsBySource() : List.of(topicsOf(source));
  }

  private List<Topics> topicsBySource() {
    var configured = settings();
    return configured == null
        ? List.of(new Topics(Objects.requireNonNullElse(prefix, DEFAULT_PREFIX), Retention.DEFAULT))
        : configured.sources().stream().map(each -> Application.topics(configured, each)).toList();
  }

  /** Returns the settings of a source, or of the only source if {@code name} is null. */
  public SourceSettings source(@Nullable String name) {
    var sources = settings() == null ? List.<SourceSettings>of() : settings().sources();
    var found = sources.stream().filter(source -> name == null || source.name().equals(name)).toList();
    if (found.size() != 1) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, sources.isEmpty()
          ? "--config is missing; the configuration names the source"
          : "name one of these sources with --source: "
              + sources.stream().map(SourceSettings::name).collect(Collectors.joining(", ")));
    }
    return found.getFirst();
  }

  List<Topic<?>> topics() {
    return topicsBySource().stream().<Topic<?>>flatMap(each -> each.all().stream()).toList();
  }

  /**
   * @param names names of topics, with or without the prefix of the source; a name without prefix stands for the topics
   *     of all sources
   */
  List<Topic<?>> topics(List<String> names) {
    return names.stream().<Topic<?>>flatMap(this::topics).distinct().toList();
  }

  private Stream<Topic<?>> topics(String name) {
    var byName = new LinkedHashMap<String, List<Topic<?>>>();
    topicsBySource().forEach(source -> source.all().forEach(topic -> {
      byName.computeIfAbsent(topic.name(), any -> new ArrayList<>()).add(topic);
      byName.computeIfAbsent(source.shortName(topic), any -> new ArrayList<>()).add(topic);
    }));
    var found = byName.get(name);
    if (found == null) {
      var nearest = NameSuggestion.nearest(name, byName.keySet());
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "there is no topic '" + name + "'"
          + (nearest == null ? "; 'tidemark topics' lists the topics" : "; did you mean '" + nearest + "'?"));
    }
    return found.stream();
  }

  /** Returns the configuration, or null if none is named. */
  public @Nullable Settings settings() {
    if (config != null && prefix != null) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE,
          "--prefix cannot be combined with --config, which has the prefix of each source; leave out one of the two");
    }
    if (settings == null && config != null) {
      settings = Settings.readForKafka(config, System::getenv);
    }
    return settings;
  }
}

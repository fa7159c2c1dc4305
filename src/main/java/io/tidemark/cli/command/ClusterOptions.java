package io.tidemark.cli.command;

import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.KafkaCluster;
import io.tidemark.cli.wiring.Registries;
import io.tidemark.config.Settings;
import io.tidemark.source.SourceSettings;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Retention;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader;
import io.tidemark.topic.Topics;
import io.tidemark.yaml.Spelling;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name Kafka, registry and topics: by a configuration, or by addresses; else those of the demo. */
public final class ClusterOptions {

  private static final String DEMO = "127.0.0.1:9092";

  @Option(names = "--config", paramLabel = "FILE", description = "The configuration that names Kafka and registry.")
  @Nullable
  Path config;

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT",
      description = "Kafka's bootstrap server (default: that of the configuration, else that of the demo, " + DEMO
          + ").")
  @Nullable
  String bootstrap;

  @Option(names = "--registry", paramLabel = "URL",
      description = "An external schema registry (default: that of the configuration, else the built-in one).")
  @Nullable
  URI registry;

  @Option(names = "--prefix", paramLabel = "PREFIX",
      description = "The prefix of the topics (default: that of the configuration, else ${DEFAULT-VALUE}).",
      defaultValue = "tidemark.")
  String prefix = "tidemark.";

  private @Nullable Settings settings;

  /** Connects to the cluster. */
  public KafkaCluster cluster() {
    var configured = settings();
    if (configured == null || bootstrap != null) {
      var servers = bootstrap == null ? DEMO : bootstrap;
      return KafkaCluster.connect(servers, configured == null ? Map.of() : configured.kafka().properties());
    }
    var kafka = configured.kafka();
    var servers = kafka.embedded() == null ? kafka.bootstrapServers() : "127.0.0.1:" + kafka.embedded().port();
    return KafkaCluster.connect(Objects.requireNonNull(servers), kafka.properties());
  }

  public SchemaRegistry registry() {
    var configured = settings();
    if (registry != null) {
      return Registries.at(registry);
    }
    return configured == null ? new BuiltInRegistry(topics()) : Registries.of(configured.registry(), topics());
  }

  /**
   * Reads all committed records of a topic.
   *
   * @throws CommandFailure at a record that is unreadable
   */
  public void readAll(Topic<?> topic, Consumer<CommittedRecord> visitor) {
    try (var reader = reader(List.of(topic))) {
      reader.readAll(record -> visitor.accept(readable(record)));
    }
  }

  static CommittedRecord readable(CommittedRecord record) {
    if (record.unreadable() != null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, record.location() + ": " + record.unreadable());
    }
    return record;
  }

  /** A reader of topics of the cluster. */
  public TopicReader reader(List<? extends Topic<?>> topics) {
    return new TopicReader(cluster().clientConfig(), topics, registry());
  }

  /** @param source may be null where there is only one */
  public Topics topicsOf(@Nullable String source) {
    var configured = settings();
    return configured == null ? new Topics(prefix, Retention.DEFAULT) : Application.topics(configured, source(source));
  }

  /** The topics of one source, or those of each source where it is null. */
  List<Topics> topicsOfAll(@Nullable String source) {
    var configured = settings();
    return configured == null || source != null
        ? List.of(topicsOf(source))
        : configured.sources().stream().map(each -> Application.topics(configured, each)).toList();
  }

  /** @param name may be null where there is only one */
  public SourceSettings source(@Nullable String name) {
    var sources = settings() == null ? List.<SourceSettings>of() : settings().sources();
    var found = sources.stream().filter(source -> name == null || source.name().equals(name)).toList();
    if (found.size() != 1) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, sources.isEmpty()
          ? "--config is missing; it names the source"
          : "name one source with --source: "
              + sources.stream().map(SourceSettings::name).collect(Collectors.joining(", ")));
    }
    return found.getFirst();
  }

  /** All topics of all sources. */
  List<Topic<?>> topics() {
    var configured = settings();
    return configured == null ? new Topics(prefix, Retention.DEFAULT).all() : Application.topics(configured);
  }

  /** @param names with or without the prefix of the source */
  List<Topic<?>> topics(List<String> names) {
    return names.stream().<Topic<?>>flatMap(this::topics).distinct().toList();
  }

  private Stream<Topic<?>> topics(String name) {
    var all = topics();
    var found = all.stream().filter(topic -> topic.name().equals(name) || withoutPrefix(topic).equals(name)).toList();
    if (found.isEmpty()) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "there is no topic '" + name + "'" + suggestion(name, all));
    }
    return found.stream();
  }

  private String withoutPrefix(Topic<?> topic) {
    var configured = settings();
    return configured == null
        ? topic.name().substring(prefix.length())
        : configured.sources().stream()
            .filter(source -> topic.name().startsWith(source.prefix()))
            .map(source -> topic.name().substring(source.prefix().length()))
            .findFirst()
            .orElse(topic.name());
  }

  private String suggestion(String name, List<Topic<?>> all) {
    var names = new HashMap<String, String>();
    all.forEach(topic -> names.put(withoutPrefix(topic), topic.name()));
    all.forEach(topic -> names.put(topic.name(), topic.name()));
    var nearest = Spelling.nearest(name, names.keySet());
    return nearest == null ? "; 'tidemark topics' lists them" : "; did you mean '" + nearest + "'?";
  }

  /** The configuration; null where none is named. */
  public @Nullable Settings settings() {
    if (settings == null && config != null) {
      settings = Settings.read(config, System::getenv);
    }
    return settings;
  }
}

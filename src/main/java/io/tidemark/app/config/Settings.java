package io.tidemark.app.config;

import io.tidemark.capture.source.SourceSettings;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.NameSuggestion;
import io.tidemark.http.client.ApiKey;
import io.tidemark.http.server.ReloadedTls.TlsFiles;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.notify.Receiver;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.YamlException;
import io.tidemark.yaml.YamlSection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a configuration file.
 *
 * @param streamThreads number of threads of each source's stream application; 0 to derive it from cores, partitions
 *     and the number of sources
 * @param localStore folder of the ledger's local stores; null for a temporary folder
 * @param access who may use the web port
 * @param webTls the certificate of the web port; null to serve without TLS
 * @param fieldNames which name the mirror writes for an attribute that the interface document and the service name
 *     differently
 * @param tracing the collector of traces; null if there are no traces
 */
public record Settings(
    KafkaSettings kafka, RegistrySettings registry, TopicSettings topics, List<SourceSettings> sources,
    RuleSelection rules, List<Receiver> receivers, ListenerSettings web, AccessSettings access,
    @Nullable TlsFiles webTls, ListenerSettings management, int streamThreads, @Nullable Path localStore,
    FieldNaming fieldNames, @Nullable TracingSettings tracing) {

  private static final String PREFIX = "TIDEMARK_";

  /** Variables that the log, the launcher and the image's health check read, without the prefix. */
  private static final List<String> OF_LOG_AND_SCRIPTS = List.of(
      "LOG", "LOG_LEVEL", "LIBRARY_LOG_LEVEL", "LOG_STACK", "JAVA_HOME", "JAVA_OPTS", "ARCHIVE", "MANAGEMENT_HOST");

  /**
   * Reads a configuration file.
   *
   * @throws YamlException if the file cannot be used
   */
  public static Settings read(Path file, UnaryOperator<@Nullable String> environment) {
    return parse(file.toString(), text(file), environment);
  }

  /**
   * Reads a configuration file, once, since it may be a pipe.
   *
   * @param warnings receives a message for each environment variable that begins with {@code TIDEMARK_} and that
   *     nothing reads, and for each API key that several sources use
   * @throws YamlException if the file cannot be used
   */
  public static Settings read(Path file, Map<String, String> environment, Consumer<String> warnings) {
    var known = new HashSet<>(OF_LOG_AND_SCRIPTS);
    var settings = read(file, name -> {
      if (name != null && name.startsWith(PREFIX)) {
        known.add(name.substring(PREFIX.length()));
      }
      return environment.get(name);
    });
    environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name.substring(PREFIX.length())))
        .sorted()
        .forEach(name -> {
          var nearest = NameSuggestion.nearest(name.substring(PREFIX.length()), known);
          warnings.accept("environment variable " + name + " has no effect; " + (nearest == null
              ? "no setting of " + file + " has this name"
              : "did you mean " + PREFIX + nearest + "?"));
        });
    settings.warnOfSharedKeys(warnings);
    return settings;
  }

  /** Warns of keys that several sources use whose shares add up to more than 1. */
  private void warnOfSharedKeys(Consumer<String> warnings) {
    var users = new LinkedHashMap<Map.Entry<String, ApiKey>, List<SourceSettings>>();
    sources.forEach(source -> source.client().keys().forEach(key -> users
        .computeIfAbsent(Map.entry(source.client().baseUrl().getHost(), key), any -> new ArrayList<>()).add(source)));
    users.values().stream().distinct()
        .filter(each -> each.size() > 1 && each.stream().mapToDouble(source -> source.limits().share()).sum() > 1)
        .forEach(each -> warnings.accept(("sources %s use the same API key, but each counts only its own calls; if"
            + " their limits together exceed the plan of the key, set 'share' of each, such as 0.5")
            .formatted(each.stream().map(SourceSettings::name).collect(Collectors.joining(", ")))));
  }

  /**
   * Reads a configuration file for a command that uses only Kafka and the registry. Skips the API keys of sources, the
   * session secret of the web port, the receivers, and the headers for the collector of traces, because the environment
   * variables and files that contain these secrets may be missing.
   */
  public static Settings readForKafka(Path file, UnaryOperator<@Nullable String> environment) {
    return parse(file.toString(), text(file), environment, false);
  }

  /**
   * Reads only the receivers of a configuration file.
   *
   * @throws YamlException if the receivers cannot be used
   */
  public static List<Receiver> readReceivers(Path file, UnaryOperator<@Nullable String> environment) {
    return ReceiverReader.read(YamlSection.parse(file.toString(), text(file), environment));
  }

  /**
   * Parses the text of a file. Messages name the file, and the paths in the text are relative to the folder of the
   * file.
   *
   * @throws YamlException if the text cannot be used
   */
  public static Settings parse(String file, String text, UnaryOperator<@Nullable String> environment) {
    return parse(file, text, environment, true);
  }

  private static Settings parse(String file, String text, UnaryOperator<@Nullable String> environment,
      boolean withSecrets) {
    var in = YamlSection.parse(file, text, environment)
        .only("kafka", "registry", "topics", "sources", "rules", "receivers", "links", "web", "management",
            "stream", "local-store", "tracing");
    var kafka = KafkaSettings.read(in.section("kafka"));
    var registry = RegistrySettings.read(in.section("registry"));
    var topics = TopicSettings.read(in.section("topics"));
    var web = WebSettingsReader.read(in, withSecrets);
    var management = ListenerSettings.read(
        in.section("management").only("address", "port", "max-connections", "max-connections-per-address"), "9090",
        "100", in.has("management"));
    var rules = RuleSelection.read(in.section("rules"));
    var threads = in.section("stream").only("threads").get("threads", "0")
        .integer(0, 1_000, "0 (follows partitions and cores) to 1000 threads for each source");
    var localStore = in.find("local-store");
    return new Settings(kafka, registry, topics, sources(in, withSecrets), rules,
        withSecrets ? ReceiverReader.read(in) : List.of(),
        web.listener(), web.access(), web.tls(), management, threads,
        localStore == null ? null : in.file(localStore), web.fieldNames(),
        TracingSettings.read(in.section("tracing"), withSecrets));
  }

  private static List<SourceSettings> sources(YamlSection in, boolean withKeys) {
    var names = new HashSet<String>();
    var prefixes = new HashSet<String>();
    var keys = new HashSet<String>();
    var sources = in.sections("sources");
    if (sources.isEmpty()) {
      throw in.invalid("sources", "at least one source is needed, such as [ { base-url: ..., watch: { ... } } ]");
    }
    return sources.stream().map(section -> {
      var source = SourceSettingsReader.read(section, withKeys);
      if (!names.add(source.name()) || !prefixes.add(source.prefix())) {
        throw section.invalid("another source has this name or prefix; both must be unique");
      }
      if (!keys.add(source.prefix() + source.name())) {
        throw section.invalid("prefix and name, written together, are the same text as those of another source: %s%s"
            .formatted(source.prefix(), source.name()));
      }
      return source;
    }).toList();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new YamlException(FilePosition.whole(file.toString()), "",
          "there is no such file; give the path of a configuration file with --config");
    } catch (CharacterCodingException e) {
      throw new YamlException(FilePosition.whole(file.toString()), "", "the file is not UTF-8 text");
    } catch (IOException e) {
      throw new YamlException(FilePosition.whole(file.toString()), "", "the file cannot be read: " + e.getMessage());
    }
  }

  /**
   * The partitions, replication and retention of topics, and the topics that belong to no source.
   *
   * @param create whether the program creates missing topics and changes their settings; otherwise, somebody else does
   */
  public record TopicSettings(TopicLayout layout, Retention retention, ClusterTopics ofCluster, boolean create) {

    static TopicSettings read(YamlSection in) {
      in.only("partitions", "replication", "retention", "cluster-prefix", "create");
      var times = in.section("retention").only("changes", "candles", "alerts", "dead-letters");
      var partitions = in.get("partitions", "6");
      var count = partitions.integer();
      var replication = (short) in.get("replication", "1").integer();
      var layout = partitions.as(text -> new TopicLayout(count, replication));
      var retention = new Retention(
          retention(times, "changes", "30d"), retention(times, "candles", "30d"), retention(times, "alerts", "90d"),
          retention(times, "dead-letters", "14d"));
      return new TopicSettings(
          layout, retention, in.get("cluster-prefix", "").as(ClusterTopics::new), in.get("create", "true").flag());
    }

    private static Duration retention(YamlSection in, String key, String otherwise) {
      var value = in.get(key, otherwise);
      if (value.duration(DurationFormat.OF_CONFIGURATION).compareTo(Duration.ofHours(1)) < 0) {
        throw value.invalid("must be at least 1h");
      }
      return value.duration(DurationFormat.OF_CONFIGURATION);
    }
  }

  /**
   * The settings of a port on which the program listens: the web port, or the port of health and metrics.
   *
   * @param port 0 for any free port
   * @param maxConnections maximum number of connections open at a time
   * @param maxPerAddress maximum number of connections from one client address open at a time
   * @param configured whether the configuration contains the section of the listener, or an environment variable sets
   *     its address or port; if not, address and port are the defaults, and nobody relies on the port
   */
  public record ListenerSettings(
      String address, int port, int maxConnections, int maxPerAddress, boolean configured) {

    static ListenerSettings read(YamlSection in, String defaultPort, String defaultConnections,
        boolean configured) {
      var port = in.get("port", defaultPort).integer(0, 65_535, "0 (any free port) to 65535");
      var connections = in.get("max-connections", defaultConnections).integer(1, 100_000, "1 to 100000 open at a time");
      var perAddress = in.get("max-connections-per-address", Integer.toString(Math.ceilDiv(connections, 2)))
          .integer(1, connections, "1 to max-connections (" + connections + ") open at a time");
      return new ListenerSettings(in.get("address", "127.0.0.1").text(), port, connections, perAddress,
          configured || in.has("address") || in.has("port"));
    }

    /**
     * Returns whether only this machine can reach the listener. Returns true if the address cannot be resolved, because
     * the start of the listener then fails anyway.
     */
    public boolean isLoopback() {
      try {
        return Arrays.stream(InetAddress.getAllByName(address)).allMatch(InetAddress::isLoopbackAddress);
      } catch (UnknownHostException e) {
        return true;
      }
    }
  }
}

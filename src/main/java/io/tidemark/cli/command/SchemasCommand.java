package io.tidemark.cli.command;

import io.tidemark.app.CommandFailure;
import io.tidemark.event.ResourceMemory;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ReleasedSchemas;
import java.net.URI;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.SchemaFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** Prints and registers the schemas that this version writes. Only {@code push} connects to a server. */
@Command(
    name = "schemas",
    mixinStandardHelpOptions = true,
    description = "Lists, prints and registers the schemas of values.",
    synopsisSubcommandLabel = "COMMAND")
public final class SchemasCommand extends CliCommand {

  private static final String SUBJECT_SUFFIX = "-value";

  @Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT,
      description = "The configuration from which to take the names of the topics. Without it, the names begin with"
          + " 'tidemark.'.")
  @Nullable
  Path config;

  @Command(mixinStandardHelpOptions = true, description = "Lists the subjects, each with the id of its schema in the "
      + "built-in registry, and the name of its record. An external registry assigns other ids.")
  void list() {
    sortedTopics().forEach(topic -> out().printf("%-43s %10d %s%n",
        topic.subject(), BuiltInRegistry.idOf(topic.schema()), topic.schema().getName()));
  }

  @Command(mixinStandardHelpOptions = true, description = "Prints the schema of a subject as JSON.")
  void show(@Parameters(paramLabel = "SUBJECT",
      description = "A subject or topic; the prefix can be left out.") String subject) {
    var name = subject.endsWith(SUBJECT_SUFFIX)
        ? subject.substring(0, subject.length() - SUBJECT_SUFFIX.length())
        : subject;
    out().println(SchemaFormatter.format("json/pretty", cluster().topics(List.of(name)).getFirst().schema()));
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Prints the schemas that are not released yet, one line each, "
          + "for released-schemas.jsonl. Fails if a schema is incompatible with released schemas.")
  void unreleased() {
    var released = ReleasedSchemas.load();
    var topics = Stream.<Topic<?>>concat(cluster().topics().stream(), ClusterTopics.UNPREFIXED.all().stream());
    var schemas = Stream.concat(topics.map(Topic::schema), Stream.of(ResourceMemory.getClassSchema())).toList();
    var problems = schemas.stream()
        .flatMap(schema -> released.incompatibilities(schema).stream())
        .distinct()
        .toList();
    if (!problems.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, String.join(System.lineSeparator(), problems));
    }
    released.unreleased(schemas).forEach(out()::println);
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Registers all schemas with an external registry, so that they exist before a record is "
          + "written. Leaves registered schemas unchanged.")
  void push(
      @Option(names = "--registry", paramLabel = "URL",
          description = "The registry (default: the registry and login of the configuration).") @Nullable URI url) {
    var cluster = cluster();
    cluster.registry = url;
    var registry = cluster.registry();
    if (registry instanceof BuiltInRegistry) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "the built-in registry knows all schemas; name an external"
          + " registry with --registry, or a configuration that sets registry.url with --config");
    }
    Stream.concat(sortedTopics(), Stream.of(cluster.clusterTopics().sources()))
        .forEach(topic -> out().printf("%-43s %10d%n", topic.subject(), registry.id(topic.subject(), topic.schema())));
  }

  private Stream<Topic<?>> sortedTopics() {
    return cluster().topics().stream().sorted(Comparator.comparing(Topic::name));
  }

  private ClusterOptions cluster() {
    return ClusterOptions.of(config);
  }
}

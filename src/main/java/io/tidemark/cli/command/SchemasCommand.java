package io.tidemark.cli.command;

import io.tidemark.cli.reference.SchemaReference;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.ReleasedSchemas;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The schemas this version writes with; but for {@code push}, none of it asks Kafka or a registry. */
@Command(
    name = "schemas",
    mixinStandardHelpOptions = true,
    description = "The schemas of values: their ids, their text, and what each attribute is.",
    synopsisSubcommandLabel = "COMMAND")
public final class SchemasCommand {

  private static final String SUBJECT = "-value";

  @Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT,
      description = "The configuration that names the topics (default: those with the prefix tidemark.).")
  @Nullable
  Path config;

  @Spec
  @Nullable
  CommandSpec spec;

  @Command(mixinStandardHelpOptions = true, description = "Lists the subjects, each with the id of its schema in the "
      + "built-in registry (an external one gives ids of its own), and the record.")
  void list() {
    place().topics().stream().sorted(Comparator.comparing(Topic::name)).forEach(topic -> out()
        .printf("%-45s %10d  %s%n", topic.subject(), BuiltInRegistry.idOf(schema(topic)), schema(topic).getName()));
    out().flush();
  }

  @Command(mixinStandardHelpOptions = true, description = "Prints the schema of a subject as JSON.")
  void show(@Parameters(paramLabel = "SUBJECT", description = "A subject or topic; prefix optional.") String subject) {
    var topic = subject.endsWith(SUBJECT) ? subject.substring(0, subject.length() - SUBJECT.length()) : subject;
    out().println(SchemaFormatter.format("json/pretty", schema(place().topics(List.of(topic)).getFirst())));
    out().flush();
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Prints all topics, resources, facets and attributes as Markdown.")
  void reference() {
    new SchemaReference(place().topicsOf(null)).lines().forEach(out()::println);
    out().flush();
  }

  @Command(mixinStandardHelpOptions = true, description = "Prints the schemas that no release has yet, one line each, "
      + "to be appended to released-schemas.jsonl; rejects schemas that are incompatible with released ones.")
  void unreleased() {
    var released = ReleasedSchemas.load();
    var topics = Stream.<Topic<?>>concat(place().topics().stream(), Stream.of(Topics.SOURCES)).toList();
    var problems =
        topics.stream().flatMap(topic -> released.incompatibilities(schema(topic)).stream()).distinct().toList();
    if (!problems.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, String.join(System.lineSeparator(), problems));
    }
    released.unreleased(topics).forEach(out()::println);
    out().flush();
  }

  @Command(mixinStandardHelpOptions = true, description = "Registers all schemas with an external registry, before "
      + "anything is written; what is there already stays as it is.")
  void push(
      @Option(names = "--registry", paramLabel = "URL",
          description = "The registry (default: that of the configuration, with its login).") @Nullable URI url) {
    var place = place();
    place.registry = url;
    var registry = place.registry();
    if (registry instanceof BuiltInRegistry) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE,
          "the built-in registry knows all schemas; name an external one with"
              + " --registry, or with --config and its registry.url");
    }
    place.topics().stream().sorted(Comparator.comparing(Topic::name))
        .forEach(topic -> out().printf("%-45s %10d%n", topic.subject(), registry.id(topic.subject(), schema(topic))));
    out().flush();
  }

  private ClusterOptions place() {
    var place = new ClusterOptions();
    place.config = config;
    return place;
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private static Schema schema(Topic<?> topic) {
    return SpecificData.get().getSchema(topic.value());
  }
}

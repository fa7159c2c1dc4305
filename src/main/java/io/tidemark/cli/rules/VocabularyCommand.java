package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import io.tidemark.yaml.Spelling;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "vocabulary",
    mixinStandardHelpOptions = true,
    description = "Prints the names that rules on a topic may use, each with its type; without a topic, the topics.")
final class VocabularyCommand implements Runnable {

  @Parameters(paramLabel = "TOPIC", arity = "0..1", description = "A topic without prefix, such as pool.changes.")
  @Nullable
  String topic;

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    lines().forEach(out::println);
    out.flush();
  }

  private Stream<String> lines() {
    var topics = new Topics("tidemark.", Retention.DEFAULT).ruleSchemas();
    if (topic == null) {
      return topics.keySet().stream();
    }
    var schema = topics.get(topic);
    if (schema == null) {
      var nearest = Spelling.nearest(topic, topics.keySet());
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "no rule can be on '" + topic + "'"
          + (nearest == null ? "; 'tidemark rules vocabulary' lists the topics" : "; did you mean " + nearest + "?"));
    }
    return Vocabulary.of(schema).types().entrySet().stream()
        .map(name -> "%-60s %s".formatted(name.getKey(), name.getValue()));
  }
}

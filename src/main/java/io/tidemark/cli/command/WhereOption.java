package io.tidemark.cli.command;

import io.tidemark.app.CommandFailure;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Topic;
import io.tidemark.rule.expression.EvaluatedRecord;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.ExpressionException;
import io.tidemark.rule.expression.Vocabulary;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option with the condition that records must meet. */
final class WhereOption {

  @Spec(Spec.Target.MIXEE)
  @Nullable
  CommandSpec command;

  @Option(names = "--where", paramLabel = "CEL",
      description = "Takes only records for which this condition is true, such as"
          + " 'changed.price && about.reserve_usd > 10000.0'.")
  @Nullable
  String text;

  /**
   * Compiles the condition for each topic, since the names in the condition depend on the schema of the topic. Ages in
   * the condition are computed at the record's timestamp. Unreadable records always meet the condition. A tombstone
   * meets it only if there is no condition.
   */
  Predicate<CommittedRecord> condition(List<Topic<?>> topics) {
    if (text == null) {
      return record -> true;
    }
    var conditions = new HashMap<String, Expression>();
    topics.forEach(topic -> conditions.put(topic.name(), compiled(topic, text)));
    return record -> matches(record, Objects.requireNonNull(conditions.get(record.topic())));
  }

  private static boolean matches(CommittedRecord record, Expression condition) {
    try {
      return record.unreadable() != null
          || (record.value() != null
              && condition.test(new EvaluatedRecord(record.value(), record.time())) == Expression.Verdict.TRUE);
    } catch (EvaluationFailure e) {
      throw new CommandFailure(
          CommandFailure.PROBLEM_FOUND,
          "--where cannot be evaluated for the record at " + record.location() + ": " + e.getMessage());
    }
  }

  private Expression compiled(Topic<?> topic, String text) {
    try {
      return Expression.conditionOnOneRecord(text, Vocabulary.of(topic.schema()));
    } catch (ExpressionException e) {
      throw new ParameterException(
          Objects.requireNonNull(command).commandLine(), "--where, for " + topic.name() + ": " + e.getMessage());
    }
  }
}

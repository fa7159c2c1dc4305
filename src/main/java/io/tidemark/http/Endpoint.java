package io.tidemark.http;

import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row of the interface: where an operation is, and how its question and its answer are written and read.
 *
 * @param onChain whether its path is relative to the on-chain path
 * @param parse throws {@link BadParameter}
 */
record Endpoint<Q extends Query<A>, A>(
    Operation operation,
    boolean onChain,
    PathTemplate path,
    Function<Question, Q> parse,
    BiFunction<Q, Question, Question> format) {

  /** The question at a path; null where the path is another operation's. */
  @Nullable Q parse(String rawPath, String rawQuery) {
    Map<String, String> values = path.match(rawPath);
    return values == null ? null : parse.apply(Question.of(values, rawQuery));
  }

  /** Path and query: the sorted parameters that do not have their default value. */
  String format(Q query) {
    var question = format.apply(query, new Question());
    return path.expand(question.path()) + question.queryString();
  }
}

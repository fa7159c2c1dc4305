package io.tidemark.http.wire;

import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the interface document: its address, and how its queries and answers are written and read.
 *
 * @param onChain whether the path is relative to the on-chain path
 * @param parse reads a query from the parameters of a request; throws {@link InvalidParameterException}
 */
public record Endpoint<Q extends Query<A>, A>(
    Operation operation, boolean onChain, PathTemplate path, Function<RequestParameters, Q> parse,
    BiFunction<Q, RequestParameters, RequestParameters> format, AnswerCodec<Q, A> answer) {

  /**
   * Returns the query of a request, or null if the path belongs to another operation. Ignores unknown parameters, as
   * the service does.
   */
  public @Nullable Q parse(String rawPath, String rawQuery) {
    Map<String, String> values = path.match(rawPath);
    return values == null ? null : parse.apply(RequestParameters.of(values, rawQuery));
  }

  /** Does the same as {@link #parse}, but throws {@link InvalidParameterException} if there is an unknown parameter. */
  @Nullable
  Q parseStrictly(String rawPath, String rawQuery) {
    Map<String, String> values = path.match(rawPath);
    if (values == null) {
      return null;
    }
    var parameters = RequestParameters.of(values, rawQuery);
    var query = parse.apply(parameters);
    parameters.requireOnlyKnown();
    return query;
  }

  /**
   * Returns the path and query string of a query, without the on-chain path. Parameters are sorted by name.
   * Parameters with their default value are left out.
   */
  String format(Q query) {
    var parameters = format.apply(query, new RequestParameters());
    return path.expand(parameters.path()) + parameters.queryString();
  }

  /**
   * Decodes the answer in a body.
   *
   * @throws Failure.Unreadable if the body does not match the interface document; the failure contains the body
   */
  public A decode(Q query, byte[] body, int status, Map<String, String> headers) {
    try {
      return answer.read(query, Json.read(body, answer::reads));
    } catch (MalformedAnswerException e) {
      throw new Failure.Unreadable(
          "the answer to " + format(query) + " cannot be read: " + e.getMessage(), body, status, headers);
    }
  }

  public byte[] encode(Q query, A value, FieldNaming naming) {
    return Json.bytes(answer.write(query, value, naming));
  }
}

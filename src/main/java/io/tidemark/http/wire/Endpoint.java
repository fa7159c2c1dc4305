package io.tidemark.http.wire;

import io.tidemark.http.wire.RequestParameters.ParameterUse;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One row of the interface document: the address of an operation, and how its query and its answer are written and read.
 *
 * @param onChain whether its path is relative to the on-chain path
 * @param parse throws {@link InvalidParameterException}
 */
public record Endpoint<Q extends Query<A>, A>(
    Operation operation, boolean onChain, PathTemplate path, Function<RequestParameters, Q> parse,
    BiFunction<Q, RequestParameters, RequestParameters> format, AnswerCodec<Q, A> answer) {

  /** The query of a request; null where the path belongs to another operation. */
  public @Nullable Q parse(String rawPath, String rawQuery) {
    Map<String, String> values = path.match(rawPath);
    return values == null ? null : parse.apply(RequestParameters.of(values, rawQuery));
  }

  /** Its path as the document has it, such as {@code /networks/{network}/pools/{address}}. */
  public String pathText() {
    return path.toString();
  }

  /** The names of the parameters in its path. */
  public List<String> pathParameters() {
    return path.names();
  }

  /** The parameters in its query string, in the order of its query. */
  public List<EndpointParameter> queryParameters() {
    var uses = new ArrayList<ParameterUse>();
    var unused = parse.apply(RequestParameters.recording(path.names(), uses));
    return uses.stream().map(EndpointParameter::of).toList();
  }

  /** Path and query string. Parameters are sorted; those with their default value are left out. */
  String format(Q query) {
    var parameters = format.apply(query, new RequestParameters());
    return path.expand(parameters.path()) + parameters.queryString();
  }

  /**
   * The answer in a body.
   *
   * @throws Failure.Unreadable with the body, if it is not the answer that the document describes
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

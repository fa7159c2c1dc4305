package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoint;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An error reply as the server sends it, for API documents: the shape of a body depends on the operation and on what is
 * wrong.
 *
 * @param meaning for people
 * @param headers names of further headers
 */
public record ErrorSample(int status, String meaning, Set<String> headers, String body) {

  /** The errors that requests for an operation can have. */
  public static List<ErrorSample> of(Endpoint<?, ?> endpoint) {
    var onChain = endpoint.onChain();
    var parameters = endpoint.queryParameters();
    var samples = new ArrayList<ErrorSample>();
    samples.add(of("A parameter has a value that is not allowed.", error(onChain, 400)));
    if (!onChain && parameters.stream().anyMatch(each -> each.isRequired())) {
      samples.add(of("A required parameter is missing.", error(false, RequestTarget.MISSING_PARAMETER)));
    }
    samples.add(of("The key is missing or unknown, where keys are configured.",
        FailureReplies.badKey("Invalid API Key.", Instant.EPOCH)));
    if (onChain && parameters.stream().anyMatch(each -> each.name().equals("page"))) {
      samples.add(of("The page is beyond " + MarketRoutes.LAST_PAGE_OF_POOLS + ".", error(true, 401)));
    }
    samples.add(of("Not watched; the message says how to watch it. Or watched, and not there.", error(onChain, 404)));
    samples.add(of("Too many requests.", FailureReplies.rateLimited(Duration.ofSeconds(1), Instant.EPOCH)));
    samples.add(of("The mirror has not read all states yet.", FailureReplies.serverError(Instant.EPOCH)));
    return samples;
  }

  private static HttpReply error(boolean onChain, int status) {
    return FailureReplies.error(onChain, status, "message", Instant.EPOCH);
  }

  private static ErrorSample of(String meaning, HttpReply reply) {
    return new ErrorSample(reply.status(), meaning, reply.headers().keySet(),
        StandardCharsets.UTF_8.decode(reply.body()).toString());
  }
}

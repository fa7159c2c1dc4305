package io.tidemark.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.tidemark.http.client.BoundedHttpClient.ReceivedResponse;
import io.tidemark.http.wire.ErrorBody;
import io.tidemark.market.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table of docs/running/operations.md, "What follows a failure", holds for every status, code and body. */
class FailureTableTest {

  private static final List<Integer> CODES = List.of(10002, 10005, 10006, 10010, 10011, 10012, 1020, 429);
  private static final List<String> WORDS = List.of("Something is wrong", "Not found",
      "Set a User-Agent. Subscribe to a plan to get more, see our pricing plans", "Invalid API key",
      "Your monthly credits are used up");
  private static final String HINTS_AT_PLAN = "Upgrade to the Analyst plan";
  private static final String HINTS_AT_CREDITS = "the monthly calls limit";
  private static final Pattern QUOTED = Pattern.compile("`([0-9]+|[0-9]xx)`");

  private final Map<String, String> outcomes = new HashMap<>();

  FailureTableTest() throws IOException {
    for (var line : Files.readAllLines(Path.of("docs/running/operations.md"))) {
      var cells = line.split("\\|");
      if (cells.length == 6 && cells[2].strip().matches("`[a-z_]+`")) {
        var outcome = cells[2].strip().replace("`", "");
        // what follows "where" or "without" is the condition of a second row with the same status
        var trigger = cells[1].replaceAll("`429` without `Retry-After` or `401` where.*", "")
            .replaceAll("`401` where.*", "").replaceAll("\\(not `429`\\)", "");
        for (var found = QUOTED.matcher(trigger); found.find();) {
          assertThat(outcomes.put(found.group(1), outcome)).as("twice: " + found.group(1)).isNull();
        }
      }
    }
  }

  @Test
  void statusesWithoutACode_areAsTheTableSays_whateverTheWords() {
    var wrong = new TreeMap<String, String>();
    IntStream.range(300, 600).forEach(status -> WORDS.forEach(words -> {
      var hint = words.contains("plan") || words.contains("credits");
      if ((status != 401 || !hint) && (status != 429 || !words.contains("credits"))) {
        compare(wrong, status + " " + words, expected(status), classify(status, json(0, words), null));
      }
    }));

    assertThat(wrong).isEmpty();
  }

  @Test
  void codes_decideWhateverTheStatusAndTheWords() {
    var wrong = new TreeMap<String, String>();
    for (var code : CODES) {
      for (var status : List.of(200, 400, 401, 403, 404, 422, 429, 500, 503)) {
        for (var words : WORDS) {
          var speaksOfCredits = code == 429 && words.contains("credits");
          if (!speaksOfCredits) {
            var expected = outcomes.get(String.valueOf(code));
            compare(wrong, status + " " + code + " " + words, expected, classify(status, json(code, words), null));
            compare(wrong, status + " " + code + " " + words, expected,
                classify(status, new ErrorBody(code, words).asNestedStatus(), null));
          }
        }
      }
    }

    assertThat(wrong).isEmpty();
  }

  @Test
  void words_areAHintWhereStatusAndCodeLeaveItOpen() {
    assertThat(classify(401, json(0, HINTS_AT_PLAN), null)).isEqualTo("not_in_plan");
    assertThat(classify(401, json(0, HINTS_AT_CREDITS), null)).isEqualTo("credits_exhausted");
    assertThat(classify(429, json(0, HINTS_AT_CREDITS), null)).isEqualTo("credits_exhausted");
    assertThat(classify(429, json(0, HINTS_AT_CREDITS), "3")).isEqualTo("rate_limited");
    assertThat(classify(429, json(10006, HINTS_AT_CREDITS), "3")).isEqualTo("credits_exhausted");
    assertThat(classify(403, json(0, HINTS_AT_PLAN), null)).isEqualTo("blocked");
  }

  @Test
  void bodiesThatAreNoErrorOfTheService_areOfSomethingBeforeIt() {
    var found = new TreeSet<String>();
    for (var body : List.of("<!DOCTYPE html><title>plans</title>", "Forbidden: upgrade your plan", "[]")) {
      IntStream.range(300, 500).filter(status -> status != 429)
          .forEach(status -> found.add(classify(status, body.getBytes(UTF_8), null)));
    }
    assertThat(found).containsExactly("blocked");
    IntStream.range(300, 600).filter(status -> status != 429)
        .forEach(status -> assertThat(classify(status, new byte[0], null)).isEqualTo("server_error"));
  }

  @Test
  void everyOutcome_isARowOfTheTable() {
    assertThat(outcomes.values()).contains("server_error", "blocked", "rate_limited", "credits_exhausted", "bad_key",
        "not_in_plan", "not_found", "bad_request");
    assertThat(outcomes).containsKeys(CODES.stream().map(String::valueOf).toArray(String[]::new));
  }

  private @Nullable String expected(int status) {
    var own = outcomes.get(String.valueOf(status));
    return own == null ? outcomes.get(status / 100 + "xx") : own;
  }

  private static void compare(Map<String, String> wrong, String what, @Nullable String expected, String found) {
    if (!found.equals(expected)) {
      wrong.put(what, "table: " + expected + ", code: " + found);
    }
  }

  private static byte[] json(int code, String words) {
    return code == 0 ? new ErrorBody(0, words).asText() : new ErrorBody(code, words).asStatus();
  }

  private static String classify(int status, byte[] body, @Nullable String retryAfter) {
    return new ArrayList<>(List.of(failure(status, body, retryAfter).getClass().getSimpleName()
        .split("(?=[A-Z])"))).stream().map(String::toLowerCase).reduce((one, other) -> one + "_" + other).orElseThrow();
  }

  /** What the client makes of a response. */
  static Failure failure(int status, byte[] body, @Nullable String retryAfter) {
    var headers = new DefaultHttpHeaders().set("content-type", "application/json");
    if (retryAfter != null) {
      headers.set("retry-after", retryAfter);
    }
    var failure =
        FailureClassifier.of(new ReceivedResponse(status, headers, body, null), "/global", null, Instant.EPOCH);
    assertThat(failure).as(status + " " + new String(body, UTF_8)).isNotNull();
    return failure;
  }
}

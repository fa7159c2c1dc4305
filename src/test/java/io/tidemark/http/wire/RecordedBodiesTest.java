package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Answers of the real service, recorded, read and written again: nothing is lost, no digit changes. They lie outside of
 * the repository, in a folder named by the system property {@code tidemark.recordings}.
 */
@TestInstance(Lifecycle.PER_CLASS)
class RecordedBodiesTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String FOLDER = System.getProperty("tidemark.recordings", "");

  /** The vendor's own example says "date" where it means "data". */
  private static final String BROKEN = "global/oas-coingecko-public-api-v3-2025-05-26-7996beb.json";

  /** The token's price is not known to be one side's where a recording does not contain the query. */
  private static final Set<String> UNDOCUMENTED = Set.of(
      "CoinDay.community_data.twitter_followers",
      "Pool.relationships.network.data.id",
      "Pool.relationships.network.data.type",
      "Pool.token_price_usd",
      "Ticker.coin_mcap_usd");

  @Test
  void everyRecording_isTheSameWhenReadAndWrittenAgain() throws IOException {
    for (var file : recordings()) {
      if (!file.endsWith(Path.of(BROKEN))) {
        var body = Files.readAllBytes(file);

        var again = readAndWrite(RecordedQuery.of(file, JSON.readTree(body)), body);

        assertThat(JsonComparison.differences(JSON.readTree(body), JSON.readTree(again))).as(file.toString()).isEmpty();
      }
    }
  }

  @Test
  void theBrokenExample_isUnreadable() throws IOException {
    var body = Files.readAllBytes(folder().resolve(BROKEN));

    assertThatThrownBy(() -> readAndWrite(new Query.GlobalMarket(), body))
        .isInstanceOf(Failure.Unreadable.class)
        .hasMessageContaining("the member data is missing");
  }

  @Test
  void whatIsUndocumentedInThem_isKnown() throws IOException {
    var undocumented = new TreeSet<String>();
    for (var file : recordings()) {
      if (!file.endsWith(Path.of(BROKEN))) {
        var body = Files.readAllBytes(file);

        undocumented.addAll(UndocumentedNames.names(read(RecordedQuery.of(file, JSON.readTree(body)), body)));
      }
    }

    assertThat(undocumented).isSubsetOf(UNDOCUMENTED);
  }

  private static <A> byte[] readAndWrite(Query<A> query, byte[] body) {
    var endpoint = Endpoints.<A, Query<A>>of(query);
    var text = new String(body, StandardCharsets.UTF_8);
    boolean serviceNames = text.contains("coingecko_coin_id") || text.contains("twitter_screen_name");
    var style = serviceNames ? FieldNaming.SERVICE : FieldNaming.DOCUMENT;
    return endpoint.encode(query, endpoint.decode(query, body, 200, Map.of()), style);
  }

  private static <A> A read(Query<A> query, byte[] body) {
    return Endpoints.<A, Query<A>>of(query).decode(query, body, 200, Map.of());
  }

  private static List<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.walk(folder())) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static Path folder() {
    assumeFalse(FOLDER.isBlank(), "no recordings: name their folder with -Dtidemark.recordings=...");
    return Path.of(FOLDER);
  }
}

package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.TrendingDuration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of the 13 rows, for random queries and answers. */
class EndpointsTest {
  private static final int TRIES = 200;

  @SuppressWarnings("unchecked")
  static Stream<Class<? extends Query<?>>> types() {
    return Arrays.stream(Query.class.getPermittedSubclasses())
        .flatMap(type -> type.isRecord() ? Stream.of(type) : Arrays.stream(type.getPermittedSubclasses()))
        .map(type -> (Class<? extends Query<?>>) type);
  }

  @Test
  void everyOperation_hasOneRow() {
    assertThat(Endpoints.ALL).hasSize(13);
    assertThat(types()).hasSize(13);
  }

  @ParameterizedTest
  @MethodSource("types")
  void query_formattedAndParsed_isTheSame(Class<? extends Query<?>> type) {
    queries(type).forEach(query -> assertThat(parsed(query, Endpoints.pathAndQuery(query))).isEqualTo(query));
  }

  @ParameterizedTest
  @MethodSource("types")
  void nameOfATarget_leadsBackToItsFirstPage(Class<? extends Query<?>> type) {
    queries(type).forEach(query -> {
      var first = query instanceof Query.Paged<?> paged ? paged.withPage(1) : query;

      assertThat(Endpoints.parseTarget(Endpoints.targetName(query))).isEqualTo(first);
    });
  }

  @ParameterizedTest
  @MethodSource("types")
  void answer_encodedAndDecoded_isTheSame(Class<? extends Query<?>> type) {
    for (int seed = 0; seed < TRIES; seed++) {
      var random = new Random(seed);
      Query<?> query = ArbitraryQuery.of(type, random);
      assertSameAgain(query, random, seed % 2 == 0 ? FieldNaming.DOCUMENT : FieldNaming.SERVICE);
    }
  }

  @Test
  void name_isSorted_withoutPageAndDefaults() {
    var query = new Query.TrendingPools("solana", Set.of(IncludedResource.values()), 3, TrendingDuration.H1, false);

    assertThat(Endpoints.targetName(query))
        .isEqualTo("/networks/solana/trending_pools?duration=1h&include=base_token,dex,quote_token");
  }

  @Test
  void name_ofAllDefaults_isThePathAlone() {
    var query = new Query.TrendingPools("eth", Set.of(IncludedResource.BASE_TOKEN), 1, TrendingDuration.H24, false);

    assertThat(Endpoints.targetName(query)).isEqualTo("/networks/eth/trending_pools");
  }

  @Test
  void oddIds_areEncoded() {
    var query = new Query.PoolByAddress("..", "a/b c?", Set.of(IncludedResource.BASE_TOKEN), false, false);

    assertThat(Endpoints.targetName(query)).isEqualTo("/networks/%2E%2E/pools/a%2Fb%20c%3F");
  }

  @Test
  void wrongValue_isRejected_withTheAllowedOnes() {
    assertThatThrownBy(() -> Endpoints.parseTarget("/networks/eth/trending_pools?duration=7h"))
        .hasMessage("Invalid duration. Allowed values: 5m, 1h, 6h, 24h");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "/networks/eth/new_pools?inclde=dex  | unknown parameter 'inclde'; the operation has the parameters include, include_gt_community_data, page",
    "/global?weigth=10                   | unknown parameter 'weigth'; the operation has no parameters"})
  void unknownParameter_isRejected_withTheKnownOnes(String target, String message) {
    assertThatThrownBy(() -> Endpoints.parseTarget(target)).hasMessageStartingWith(message);
  }

  @Test
  void unknownPath_isRejected() {
    assertThatThrownBy(() -> Endpoints.parseTarget("/networks/eth/old_pools")).hasMessageContaining("not an operation");
  }

  @Test
  void emptyId_isRejected() {
    var query = new Query.NewPools("", Set.of(), 1, false);

    assertThatThrownBy(() -> Endpoints.targetName(query)).hasMessage("Missing parameter network");
  }

  private static Stream<Query<?>> queries(Class<? extends Query<?>> type) {
    return IntStream.range(0, TRIES).mapToObj(seed -> ArbitraryQuery.of(type, new Random(seed)));
  }

  private static <A> Query<?> parsed(Query<A> query, String url) {
    int mark = url.indexOf('?');
    return Endpoints.<A, Query<A>>of(query)
        .parse(mark < 0 ? url : url.substring(0, mark), mark < 0 ? "" : url.substring(mark + 1));
  }

  @SuppressWarnings("unchecked")
  private static <A> void assertSameAgain(Query<A> query, Random random, FieldNaming names) {
    var answer = (A) new ArbitraryAnswer(random).to(query);

    var again = GoldenBodies.decode(query, GoldenBodies.encode(query, answer, names));

    assertThat(again).as(query.toString()).isEqualTo(answer);
  }
}

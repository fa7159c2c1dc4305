package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Query;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A resource missing from a complete list is removed once a second answer, of another time, lacks it too. */
class ConfirmedAbsenceTest {
  private static final int SECONDS_BETWEEN_POLLS = 10;

  private enum CompleteList {
    TICKERS("ticker", "/coins/bitcoin/tickers", "{\"name\":\"Bitcoin\",\"tickers\":[%s]}",
        "{\"base\":\"BTC\",\"target\":\"USD\",\"market\":{\"identifier\":\"m%d\"},\"last\":1}", Duration.ofMinutes(2)),
    CONTRACTS("contract", "/derivatives/exchanges/bybit?include_tickers=all", "{\"name\":\"Bybit\",\"tickers\":[%s]}",
        "{\"symbol\":\"C%d\",\"last\":1}", Duration.ofSeconds(30)),
    HOLDINGS("holding", "/public_treasury/acme", "{\"id\":\"acme\",\"holdings\":[%s]}",
        "{\"coin_id\":\"c%d\",\"amount\":1}", Duration.ofMinutes(5)),
    PLATFORMS("platform", "/asset_platforms", "[%s]", "{\"id\":\"p%d\",\"name\":\"P\"}", Duration.ofMinutes(5)),
    NFT_PLATFORMS("platform", "/asset_platforms?filter=nft", "[%s]", "{\"id\":\"p%d\",\"name\":\"P\"}",
        Duration.ofMinutes(5));

    private final String resource;
    private final Query<?> query;
    private final String body;
    private final String row;
    private final Duration period;

    CompleteList(String resource, String target, String body, String row, Duration period) {
      this.resource = resource;
      this.query = Endpoints.parseTarget(target);
      this.body = body;
      this.row = row;
      this.period = period;
    }

    /** Returns a body with the rows numbered {@code from} (inclusive) to {@code to} (exclusive). */
    String rows(int from, int to) {
      return body.formatted(IntStream.range(from, to).mapToObj(row::formatted).collect(Collectors.joining(",")));
    }

    /** Returns the facet that shows that a resource is gone. */
    String news() {
      return this == NFT_PLATFORMS ? "nft" : "removed";
    }
  }

  private final PolledSource source = PolledSource.everything();

  static Stream<Arguments> whateverIsMissing_isRemovedByASecondAnswerOfAnotherTime() {
    return Stream.of(CompleteList.values()).flatMap(list -> Stream.of(
        Arguments.of(list, 1, 0), Arguments.of(list, 2, 1), Arguments.of(list, 3, 0), Arguments.of(list, 12, 11),
        Arguments.of(list, 12, 1), Arguments.of(list, 30, 0)));
  }

  /** Once, a single {@code holdings: []} closed all holdings, and {@code tickers: []} delisted three markets. */
  @ParameterizedTest
  @MethodSource
  void whateverIsMissing_isRemovedByASecondAnswerOfAnotherTime(CompleteList list, int before, int after) {
    source.poll(list.query, list.rows(0, before));

    assertThat(source.poll(list.query, list.rows(0, after))).isEmpty();
    assertThat(source.changeSet.targetState().getAwaitingConfirmation()).isEqualTo(before - after);
    assertThat(cached(list.query, list.rows(0, after), 10)).as("the same answer of a cache").isEmpty();
    assertThat(cached(list.query, list.rows(0, after), 20)).as("once more").isEmpty();
    assertThat(source.changeSet.targetState().getAwaitingConfirmation()).isEqualTo(before - after);
    assertRemoved(source.poll(list.query, list.rows(0, after)), list, before - after);
    assertThat(source.changeSet.targetState().getAwaitingConfirmation()).isZero();
    assertThat(source.poll(list.query, list.rows(0, after))).isEmpty();
    source.memory.assertFoldIsState();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsBackBeforeItIsConfirmed_wasNeverGone(CompleteList list) {
    source.poll(list.query, list.rows(0, 3));
    for (var i = 0; i < 3; i++) {
      assertThat(source.poll(list.query, list.rows(0, 0))).isEmpty();
      assertThat(source.poll(list.query, list.rows(0, 3))).isEmpty();
      assertThat(source.changeSet.targetState().getAwaitingConfirmation()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatGoesMissingLater_isConfirmedByItself(CompleteList list) {
    source.poll(list.query, list.rows(0, 4));
    assertThat(source.poll(list.query, list.rows(1, 4))).isEmpty();
    assertRemoved(source.poll(list.query, list.rows(2, 4)), list, 1);
    assertRemoved(source.poll(list.query, list.rows(3, 4)), list, 1);
    assertRemoved(source.poll(list.query, list.rows(3, 4)), list, 1);
  }

  /** An answer without a usable time may be a cached copy; it confirms the absence after one refresh period. */
  @ParameterizedTest
  @EnumSource
  void sameUndatedAnswerInTheNextPeriod_confirms(CompleteList list) {
    source.poll(list.query, list.rows(0, 2));
    undated(list.query, list.rows(0, 1));
    var first = source.now;
    source.now = first.plus(list.period).minusSeconds(SECONDS_BETWEEN_POLLS + 1);
    assertThat(undated(list.query, list.rows(0, 1))).isEmpty();

    source.now = first.plus(list.period).minusSeconds(SECONDS_BETWEEN_POLLS);
    assertRemoved(undated(list.query, list.rows(0, 1)), list, 1);
  }

  @ParameterizedTest
  @EnumSource
  void oneCachedAnswer_doesNotConfirmItself(CompleteList list) {
    source.poll(list.query, list.rows(0, 2));
    source.poll(list.query, list.rows(0, 1));
    source.now = source.now.plus(list.period);

    var age = (int) list.period.toSeconds() + SECONDS_BETWEEN_POLLS;
    assertThat(cached(list.query, list.rows(0, 1), age)).isEmpty();
    assertThat(source.poll(list.query, list.rows(0, 2))).isEmpty();
    assertThat(source.changeSet.targetState().getAwaitingConfirmation()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void failureBetween_confirmsNothing(CompleteList list) {
    source.poll(list.query, list.rows(0, 2));
    source.poll(list.query, list.rows(0, 1));
    source.poll(list.query, Response.status(500, "{\"status\":500,\"error\":\"Internal Server Error\"}"));

    assertThat(cached(list.query, list.rows(0, 1), 20)).isEmpty();
    assertRemoved(source.poll(list.query, list.rows(0, 1)), list, 1);
  }

  /** The row without an identity may be the missing one, because the answer before had no such row. */
  @ParameterizedTest
  @EnumSource
  void rowThatLosesItsIdentity_isNotRemovedForADay(CompleteList list) {
    source.poll(list.query, list.rows(0, 2));
    var unknown = list.rows(0, 2).replace("\"" + id(list) + "1\"", "\"\"").replace("\"P\"", "\"\"");
    for (var i = 0; i < 5; i++) {
      assertThat(source.poll(list.query, unknown)).filteredOn(each -> each.facets().contains(list.news())).isEmpty();
    }
    source.now = source.now.plus(Duration.ofDays(1));

    assertRemoved(source.poll(list.query, unknown), list, 1);
  }

  /** A row that never had an identity cannot be the missing one. */
  @Test
  void contractBesideRowsWithoutSymbol_isRemovedByTheSecondAnswer() {
    var list = CompleteList.CONTRACTS;
    var unknown = ",{\"symbol\":\"\"},{\"symbol\":null}]";
    source.poll(list.query, list.rows(0, 2).replace("]", unknown));
    assertThat(source.poll(list.query, list.rows(0, 2).replace("]", unknown))).isEmpty();

    assertThat(source.poll(list.query, list.rows(0, 1).replace("]", unknown))).isEmpty();
    assertRemoved(source.poll(list.query, list.rows(0, 1).replace("]", unknown)), list, 1);
  }

  @Test
  void holdingsGoneWhileTheTotalHasTheirValue_areNotClosedForADay() {
    var query = CompleteList.HOLDINGS.query;
    source.poll(query, treasury(300, 200, 100));
    for (var holdings : List.of(treasury(300), treasury(301), treasury(299))) {
      assertThat(closed(source.poll(query, holdings))).isZero();
    }
    source.now = source.now.plus(Duration.ofHours(23));
    assertThat(closed(source.poll(query, treasury(300)))).isZero();
    source.now = source.now.plus(Duration.ofHours(1));

    assertThat(closed(source.poll(query, treasury(300)))).isEqualTo(2);
  }

  @Test
  void holdingsGoneWithTheirValue_areClosedByTheSecondAnswer() {
    var query = CompleteList.HOLDINGS.query;
    source.poll(query, treasury(300, 200, 100));

    assertThat(closed(source.poll(query, treasury(205, 205)))).isZero();
    assertThat(closed(source.poll(query, treasury(205, 205)))).isEqualTo(1);
    assertThat(closed(source.poll(query, treasury(0)))).isZero();
    assertThat(closed(source.poll(query, treasury(0)))).isEqualTo(1);
  }

  /** The total follows one refresh later and then agrees with the list. */
  @Test
  void totalThatFollows_confirms() {
    var query = CompleteList.HOLDINGS.query;
    source.poll(query, treasury(300, 200, 100));
    source.poll(query, treasury(300, 200));
    assertThat(closed(source.poll(query, treasury(300, 200)))).isZero();

    assertThat(closed(source.poll(query, treasury(200, 200)))).isEqualTo(1);
  }

  @Test
  void contractsGoneButPairCountUnchanged_areNotRemovedForADay() {
    var list = CompleteList.CONTRACTS;
    var named =
        list.body.replace("{\"name\"", "{\"number_of_perpetual_pairs\":3,\"number_of_futures_pairs\":1,\"name\"");
    source.poll(list.query, named.formatted("{\"symbol\":\"A\"},{\"symbol\":\"B\"},{\"symbol\":\"C\"}"));
    for (var i = 0; i < 3; i++) {
      assertThat(source.poll(list.query, named.formatted("{\"symbol\":\"A\"}"))).isEmpty();
    }
    source.now = source.now.plus(Duration.ofDays(1));

    assertRemoved(source.poll(list.query, named.formatted("{\"symbol\":\"A\"}")), list, 2);
  }

  /** An exit from a ranking is not a removal, so it needs no confirmation. */
  @Test
  void exitFromARanking_isPublishedAtOnce() {
    source.poll(PoolBodies.TRENDING, PoolBodies.page("1", "0x1", "0x2"));

    assertThat(source.poll(PoolBodies.TRENDING, PoolBodies.page("1", "0x1"))).singleElement()
        .satisfies(changed -> assertThat(changed.resource()).isEqualTo("ranking"));
  }

  private static String id(CompleteList list) {
    return switch (list) {
      case TICKERS -> "m";
      case CONTRACTS -> "C";
      case HOLDINGS -> "c";
      case PLATFORMS, NFT_PLATFORMS -> "p";
    };
  }

  /** Polls an answer that was cached for this many seconds. */
  private List<ReceivedChange> cached(Query<?> query, String body, int age) {
    return source.poll(query, Response.of(body).with("Age", String.valueOf(age)));
  }

  /** Polls an answer whose time is not known, because its age cannot be read. */
  private List<ReceivedChange> undated(Query<?> query, String body) {
    return source.poll(query, Response.of(body).with("Age", "unknown"));
  }

  private static void assertRemoved(List<ReceivedChange> changes, CompleteList list, int count) {
    assertThat(changes).hasSize(count).allSatisfy(changed -> {
      assertThat(changed.resource()).isEqualTo(list.resource);
      assertThat(changed.facets()).isEqualTo(Set.of(list.news()));
    });
  }

  private static long closed(List<ReceivedChange> changes) {
    return changes.stream().filter(each -> each.facets().contains("removed")).count();
  }

  private static String treasury(double total, double... values) {
    return "{\"id\":\"acme\",\"total_treasury_value_usd\":%s,\"holdings\":[%s]}".formatted(total,
        IntStream.range(0, values.length)
            .mapToObj(i -> "{\"coin_id\":\"c%d\",\"amount\":1,\"current_value_usd\":%s}".formatted(i, values[i]))
            .collect(Collectors.joining(",")));
  }
}

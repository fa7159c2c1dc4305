package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Rejection;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Query;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows with the same key: the row that counts does not depend on their order, and counts until it is gone. */
class DuplicateRowsTest {
  private static final int POLLS = 12;

  private enum KeyedList {
    TICKERS("ticker", "/coins/bitcoin/tickers", "{\"name\":\"Bitcoin\",\"tickers\":[%s]}",
        "{\"base\":\"BTC\",\"target\":\"USD\",\"market\":{\"identifier\":\"m\"},\"last\":%s,\"volume\":%s,"
            + "\"last_traded_at\":\"2026-10-04T%s+00:00\"}",
        "{\"base\":\"ETH\",\"target\":\"USD\",\"market\":{\"identifier\":\"m\"},\"last\":7}", "price", "last"),
    CONTRACTS("contract", "/derivatives/exchanges/bybit?include_tickers=all", "{\"name\":\"Bybit\",\"tickers\":[%s]}",
        "{\"symbol\":\"C\",\"last\":%s,\"h24_volume\":%s,\"trade_url\":\"https://x/%s\"}",
        "{\"symbol\":\"D\",\"last\":7}", "price", "last"),
    HOLDINGS("holding", "/public_treasury/acme", "{\"id\":\"acme\",\"holdings\":[%s]}",
        "{\"coin_id\":\"c\",\"amount\":%s,\"current_value_usd\":%s,\"note\":\"%s\"}",
        "{\"coin_id\":\"d\",\"amount\":7}", "position", "amount"),
    PLATFORMS("platform", "/asset_platforms", "[%s]",
        "{\"id\":\"p\",\"chain_identifier\":%s,\"order\":%s,\"note\":\"%s\"}",
        "{\"id\":\"q\",\"chain_identifier\":7}", "description", "chain_identifier");

    private final String resource;
    private final Query<?> query;
    private final String body;
    private final String row;
    private final String other;
    private final String facet;
    private final String attribute;

    KeyedList(String resource, String target, String body, String row, String other, String facet, String attribute) {
      this.resource = resource;
      this.query = Endpoints.parseTarget(target);
      this.body = body;
      this.row = row;
      this.other = other;
      this.facet = facet;
      this.attribute = attribute;
    }

    String row(int figure, int volume, String text) {
      return row.formatted(figure, volume, text);
    }

    String body(List<String> rows) {
      return body.formatted(String.join(",", rows));
    }
  }

  private final PolledSource source = PolledSource.everything();

  static Stream<Arguments> rowsInAnyOrder_areTheSameResource() {
    return Stream.of(KeyedList.values()).flatMap(list -> Stream.of(2, 3, 5).map(rows -> Arguments.of(list, rows)));
  }

  /** Once, two rows with the same market, base and target swapped places, and the price flipped at every poll. */
  @ParameterizedTest
  @MethodSource
  void rowsInAnyOrder_areTheSameResource(KeyedList list, int count) {
    var rows = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      rows.add(list.row(100 + 50 * i, 1000 - i, "18:0%d:00".formatted(i)));
    }
    rows.add(list.other);
    source.poll(list.query, list.body(rows));
    var chosen = figure(list);
    var letters = source.changeSet.deadLetters().size();
    var random = new Random(20261004);

    for (var poll = 0; poll < POLLS; poll++) {
      Collections.shuffle(rows, random);
      assertThat(source.poll(list.query, list.body(rows))).filteredOn(each -> !each.resource().equals("ranking"))
          .isEmpty();
      letters += source.changeSet.deadLetters().size();
      assertThat(source.changeSet.targetState().getRejections())
          .containsExactly(new Rejection(list.resource, "duplicate", count - 1L));
    }

    assertThat(figure(list)).isEqualTo(chosen);
    assertThat(letters).as("shown once").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void firstChoice_doesNotDependOnTheOrder(KeyedList list) {
    var rows = new ArrayList<>(List.of(list.row(100, 5, "18:01:00"), list.row(150, 9, "18:01:00"),
        list.row(200, 7, "18:01:00")));
    var seen = new ArrayList<Object>();
    for (var rotation = 0; rotation < 3; rotation++) {
      var one = PolledSource.everything();
      one.poll(list.query, list.body(rows));
      seen.add(one.memory.known(list.resource, key(one, list), list.facet).get(list.attribute));
      Collections.rotate(rows, 1);
    }

    assertThat(seen.stream().distinct()).hasSize(1);
    if (list != KeyedList.PLATFORMS) {
      assertThat(seen.getFirst().toString()).as("the largest volume").startsWith("150");
    }
  }

  @ParameterizedTest
  @EnumSource
  void chosenRowThatMoves_isFollowed_andReplacedOnlyWhenGone(KeyedList list) {
    source.poll(list.query, list.body(List.of(list.row(100, 10, "18:01:00"))));
    for (var step = 1; step <= 5; step++) {
      source.poll(list.query, list.body(List.of(list.row(150, 9, "18:02:00"), list.row(100 + step, 10, "18:01:00"))));
      assertThat(figure(list)).startsWith(String.valueOf(100 + step));
    }

    source.poll(list.query, list.body(List.of(list.row(150, 9, "18:02:00"))));
    assertThat(figure(list)).startsWith("150");
    source.poll(list.query, list.body(List.of(list.row(105, 10, "18:01:00"), list.row(150, 9, "18:02:00"))));
    assertThat(figure(list)).startsWith("150");
  }

  /** Two pools of one exchange trade the same pair, far apart in the list, and pass each other. */
  @Test
  void rowsOnTwoPagesThatSwapPlaces_areTheSameResource() {
    var list = KeyedList.TICKERS;
    var chosen = list.row(100, 10, "18:02:00");
    var other = list.row(150, 9, "18:01:00");
    source.poll(list.query, Response.of(list.body(List.of(chosen, list.other))),
        Response.of(list.body(List.of(other))));
    assertThat(figure(list)).startsWith("100");

    assertThat(source.poll(list.query, Response.of(list.body(List.of(other, list.other))),
        Response.of(list.body(List.of(chosen))))).isEmpty();

    assertThat(source.changeSet.targetState().getRejections())
        .containsExactly(new Rejection("ticker", "duplicate", 1L));
    assertThat(source.changeSet.deadLetters()).isEmpty();
  }

  @Test
  void zeroThatIsWrittenInAnotherWay_isTheSameRow() {
    var list = KeyedList.TICKERS;
    source.poll(list.query, list.body(List.of(list.row.formatted("0", 5, "18:01:00"))));

    source.poll(list.query,
        list.body(List.of(list.row(7, 9, "18:02:00"), list.row.formatted("0.0", 5, "18:01:00"))));

    assertThat(Double.parseDouble(figure(list))).isZero();
  }

  @Test
  void firstChoiceOfTickers_isTheNewestTrade() {
    var list = KeyedList.TICKERS;
    source.poll(list.query, list.body(List.of(list.row(100, 900, "18:01:00"), list.row(150, 1, "18:02:00"))));

    assertThat(figure(list)).startsWith("150");
  }

  @ParameterizedTest
  @EnumSource
  void equalRows_areCountedAndNotShown(KeyedList list) {
    var row = list.row(100, 10, "18:01:00");
    source.poll(list.query, list.body(List.of(row, list.other, row)));

    assertThat(source.changeSet.targetState().getRejections())
        .containsExactly(new Rejection(list.resource, "duplicate", 1L));
    assertThat(source.changeSet.deadLetters()).isEmpty();
  }

  private String figure(KeyedList list) {
    Map<String, Object> facet = source.memory.known(list.resource, key(source, list), list.facet);
    return String.valueOf(facet.get(list.attribute));
  }

  private static String key(PolledSource polled, KeyedList list) {
    return polled.memory.keys(list.resource).getFirst();
  }
}

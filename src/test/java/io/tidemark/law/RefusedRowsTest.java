package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Rejection;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows without a usable identity are rejected; all other rows of the list count. */
class RefusedRowsTest {
  private static final String LONG = "\"" + "x".repeat(513) + "\"";

  /** Values that are not valid as an identity. */
  private static final List<String> FAULTS =
      List.of("null", "\"\"", "\" \"", "\"\\t\\n\"", "\"\u2003\"", "true", "{}", "[]", "{\"a\":[1]}", LONG);

  /** Rows that are not a resource of the list. */
  private static final List<String> ROWS = List.of("null", "7", "true", "\"x\"", "[]", "{}");

  /** A kind of list: the body around its rows, a row for each part of the identity, and the ids of the rows. */
  private enum ListKind {
    TICKERS("ticker", "/coins/bitcoin/tickers", "{\"name\":\"Bitcoin\",\"tickers\":[%s]}", List.of(
        "{\"base\":%s,\"target\":\"USD\",\"market\":{\"identifier\":\"m%d\"},\"last\":1}",
        "{\"base\":\"BTC\",\"target\":%s,\"market\":{\"identifier\":\"m%d\"},\"last\":1}",
        "{\"base\":\"BTC\",\"target\":\"USD%2$d\",\"market\":{\"identifier\":%1$s},\"last\":1}"),
        "\"X\""),
    CONTRACTS("contract", "/derivatives/exchanges/bybit?include_tickers=all", "{\"name\":\"Bybit\",\"tickers\":[%s]}",
        List.of("{\"symbol\":%s,\"base\":\"B%d\",\"last\":1}"), "\"C%d\""),
    HOLDINGS("holding", "/public_treasury/acme", "{\"id\":\"acme\",\"holdings\":[%s]}",
        List.of("{\"coin_id\":%s,\"amount\":%d}"), "\"coin%d\""),
    PLATFORMS("platform", "/asset_platforms", "[%s]", List.of("{\"id\":%s,\"chain_identifier\":%d}"), "\"p%d\""),
    NAMELESS_PLATFORMS("platform", "/asset_platforms", "[%s]",
        List.of("{\"id\":\"\",\"name\":%s,\"chain_identifier\":%d}"), "\"P%d\""),
    POOLS("pool", "/networks/eth/trending_pools", "{\"data\":[%s]}",
        List.of("{\"id\":%s,\"type\":\"pool\",\"attributes\":{\"name\":\"A / B %d\",\"reserve_in_usd\":\"1\"}}"),
        "\"eth_0x%d\""),
    FOUND_POOLS("pool", "/search/pools?query=a", "{\"data\":[%s]}", List.of(
        "{\"id\":%s,\"type\":\"pool\",\"attributes\":{\"address\":\"0x%d\",\"reserve_in_usd\":\"1\"}}"),
        "\"eth_0x%d\""),
    INCLUDED_TOKENS("token", "/networks/eth/trending_pools", "{\"data\":[],\"included\":[%s]}",
        List.of("{\"id\":%s,\"type\":\"token\",\"attributes\":{\"symbol\":\"T%d\"}}"), "\"eth_0x%d\""),
    INCLUDED_POOLS("pool", "/networks/eth/tokens/0xt?include=top_pools",
        "{\"data\":{\"id\":\"eth_0xt\",\"type\":\"token\",\"attributes\":{\"address\":\"0xt\"},"
            + "\"relationships\":{\"top_pools\":{\"data\":[]}}},\"included\":[%s]}",
        List.of("{\"id\":%s,\"type\":\"pool\",\"attributes\":{\"name\":\"A / B %d\",\"reserve_in_usd\":\"1\"}}"),
        "\"eth_0x%d\"");

    private final String resource;
    private final Query<?> query;
    private final String body;
    private final List<String> rows;
    private final String id;

    ListKind(String resource, String target, String body, List<String> rows, String id) {
      this.resource = resource;
      this.query = Endpoints.parseTarget(target);
      this.body = body;
      this.rows = rows;
      this.id = id;
    }

    String good(String template, int number) {
      return template.formatted(id.formatted(number), number);
    }

    String body(String... all) {
      return body.formatted(String.join(",", all));
    }

    /** Returns whether objects of other types may be in the list, so that a row of another type is not rejected. */
    boolean isMixed() {
      return this == INCLUDED_TOKENS || this == INCLUDED_POOLS;
    }
  }

  private final PolledSource source = PolledSource.everything();

  static Stream<Arguments> rowWithoutIdentity_isRefusedByItself_andTheOthersAreTaken() {
    return Stream.of(ListKind.values())
        .flatMap(
            kind -> kind.rows.stream().flatMap(row -> FAULTS.stream().map(fault -> Arguments.of(kind, row, fault))));
  }

  @ParameterizedTest
  @MethodSource
  void rowWithoutIdentity_isRefusedByItself_andTheOthersAreTaken(ListKind kind, String row, String fault) {
    var reason = fault.equals(LONG) ? "identity_too_long" : "identity_missing";
    var refused = row.formatted(fault, 7);
    var other = row.formatted(fault, 8);

    var changes = source.poll(kind.query, kind.body(kind.good(row, 1), refused, kind.good(row, 2), other));

    assertThat(changes).filteredOn(each -> each.resource().equals(kind.resource)).hasSize(2);
    assertThat(source.changeSet.targetState().getRejections())
        .containsExactly(new Rejection(kind.resource, reason, 2L));
    assertThat(source.changeSet.targetState().getComplete()).isTrue();
    assertThat(source.changeSet.deadLetters()).singleElement().satisfies(
        letter -> assertThat(letter.getReason()).isEqualTo("rows that are not taken: 2 %s %s".formatted(
            kind.resource, reason)));

    source.poll(kind.query, kind.body(kind.good(row, 1), kind.good(row, 2), other, kind.good(row, 3)));
    assertThat(source.changeSet.deadLetters()).as("kept once").isEmpty();
    assertThat(source.memory.keys(kind.resource)).hasSize(3);
    source.memory.assertFoldIsState();
  }

  static Stream<Arguments> rowThatIsNone_isRefusedByItself_andTheOthersAreTaken() {
    return Stream.of(ListKind.values()).filter(kind -> !kind.isMixed())
        .flatMap(kind -> ROWS.stream().filter(row -> !(kind == ListKind.CONTRACTS && row.equals("[]")))
            .map(row -> Arguments.of(kind, row)));
  }

  @ParameterizedTest
  @MethodSource
  void rowThatIsNone_isRefusedByItself_andTheOthersAreTaken(ListKind kind, String row) {
    source.poll(kind.query, kind.body(row, kind.good(kind.rows.getFirst(), 1), row));

    assertThat(source.memory.keys(kind.resource)).hasSize(1);
    assertThat(source.changeSet.targetState().getRejections())
        .containsExactly(new Rejection(kind.resource, "identity_missing", 2L));
  }

  /** Once, three of 25 contracts of a real exchange had an empty symbol, and none of the 25 was read. */
  @Test
  void contractsWithoutSymbol_theOthersAndTheExchangeArePublished() {
    var rows = new ArrayList<String>();
    for (var i = 0; i < 22; i++) {
      rows.add("{\"symbol\":\"C%d\",\"last\":%d}".formatted(i, i));
    }
    rows.addAll(3, List.of("{\"symbol\":\"\",\"last\":1}", "{\"symbol\":\"\",\"last\":2}", "{\"last\":3}"));

    source.poll(ListKind.CONTRACTS.query, ListKind.CONTRACTS.body(rows.toArray(String[]::new)));

    assertThat(source.memory.keys("contract")).hasSize(22).noneMatch(key -> key.equals("bybit/"));
    assertThat(source.memory.keys("derivatives-exchange")).containsExactly("bybit");
    assertThat(source.changeSet.targetState().getRejections())
        .containsExactly(new Rejection("contract", "identity_missing", 3L));
  }

  @Test
  void treasuryWithoutId_isTheOneThatWasAskedFor() {
    source.poll(ListKind.HOLDINGS.query, "{\"id\":null,\"name\":\"Acme\",\"holdings\":[{\"coin_id\":\"bitcoin\"}]}");

    assertThat(source.memory.keys("treasury")).containsExactly("acme");
    assertThat(source.memory.keys("holding")).containsExactly("acme/bitcoin");
  }

  @Test
  void topPoolWithoutId_isRefused_andTheOthersAreListed() {
    source.poll(ListKind.INCLUDED_POOLS.query, """
        {"data":{"id":"eth_0xt","type":"token","attributes":{"address":"0xt"},"relationships":{"top_pools":{"data":[
          {"id":"eth_0xa","type":"pool"},{"type":"pool"},{"id":"","type":"pool"},7]}}},
        "included":[{"type":"dex","attributes":{"name":"Uni"}},{"id":"eth_0xa","type":"pool","attributes":{}}]}""");

    assertThat(source.memory.keys("pool")).containsExactly("eth_0xa");
    assertThat(source.changeSet.targetState().getRejections())
        .containsExactly(new Rejection("pool", "identity_missing", 3L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "7", "true", "\"x\""})
  void noListInItsPlace_saysNothingOfTheRows_andTheSubjectIsTaken(String json) {
    for (var kind : List.of(ListKind.CONTRACTS, ListKind.HOLDINGS)) {
      source.poll(kind.query, kind.body(kind.good(kind.rows.getFirst(), 1)));
      var body =
          kind.body("x").replace("[x]", json).replace("{\"", "{\"name\":\"Other\",\"").replace("\"name\":\"Bybit\",",
              "");
      for (var i = 0; i < 3; i++) {
        source.poll(kind.query, body);
      }

      assertThat(source.memory.find(kind.resource, source.memory.keys(kind.resource).getFirst())).isNotNull();
      assertThat(source.changeSet.targetState().getComplete()).isFalse();
      assertThat(source.changeSet.deadLetters()).isEmpty();
    }
    assertThat(source.memory.known("treasury", "acme", "description")).containsEntry("name", "Other");
    assertThat(source.memory.known("derivatives-exchange", "bybit", "description")).containsEntry("name", "Other");
  }

  @ParameterizedTest
  @EnumSource(names = {"TICKERS", "PLATFORMS", "POOLS", "FOUND_POOLS"})
  void nullInPlaceOfTheList_saysNothing_andIsKeptOnce(ListKind kind) {
    source.poll(kind.query, kind.body(kind.good(kind.rows.getFirst(), 1), kind.good(kind.rows.getFirst(), 2)));
    var states = source.memory.states();
    var letters = new ArrayList<Object>();

    for (var i = 0; i < 5; i++) {
      var members = kind == ListKind.PLATFORMS ? "null" : "{\"poll\":%d,\"data\":null,\"tickers\":null}".formatted(i);
      assertThat(source.poll(kind.query, members)).isEmpty();
      letters.addAll(source.changeSet.deadLetters());
    }

    assertThat(letters).hasSize(1);
    assertThat(source.memory.states()).isEqualTo(states);
    assertThat(source.changeSet.targetState().getComplete()).isFalse();
    assertThat(source.changeSet.targetState().getDeadLetters()).singleElement().satisfies(kept -> {
      assertThat(kept.getCount()).isEqualTo(5);
      assertThat(kept.getSince()).isEqualTo(source.now.minusSeconds(40));
      assertThat(kept.getLastAt()).isEqualTo(source.now);
    });
  }

  @Test
  void wholeKindsOfFaultsTogether_areCountedEach() {
    var rows = FAULTS.stream().map(fault -> "{\"coin_id\":%s}".formatted(fault)).collect(Collectors.joining(","));

    source.poll(ListKind.HOLDINGS.query, ListKind.HOLDINGS.body(rows, "{\"coin_id\":\"bitcoin\"}"));

    assertThat(source.memory.keys("holding")).containsExactly("acme/bitcoin");
    assertThat(source.changeSet.targetState().getRejections()).containsExactly(
        new Rejection("holding", "identity_missing", FAULTS.size() - 1L),
        new Rejection("holding", "identity_too_long", 1L));
  }
}

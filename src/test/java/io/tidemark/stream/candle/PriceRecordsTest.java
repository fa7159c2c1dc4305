package io.tidemark.stream.candle;

import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.baseline;
import static io.tidemark.stream.PoolChanges.change;
import static io.tidemark.stream.PoolChanges.keyFrame;
import static io.tidemark.stream.PoolChanges.moved;
import static io.tidemark.stream.PoolChanges.removed;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Origin;
import io.tidemark.event.Price;
import io.tidemark.event.TickerAbout;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerPrice;
import io.tidemark.event.TickerPriceChange;
import io.tidemark.stream.TopologyRun;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Moves of prices as flat records, and as rows of a table that is made from their schema. */
class PriceRecordsTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final TopologyRun run = TopologyRun.start();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void move_hasThePriceBeforeAndTheFiguresBesideIt() {
    run.change(moved(at(10), null, "1.50"));
    run.change(moved(at(20), "1.50", "1.70"));

    assertThat(run.prices()).satisfiesExactly(
        first -> {
          assertThat(first.getPrice()).isEqualTo(1.5);
          assertThat(first.getPreviousPrice()).isNull();
        },
        second -> {
          assertThat(second.getKind()).isEqualTo("pool");
          assertThat(second.getId()).isEqualTo(POOL);
          assertThat(second.getNetwork()).isEqualTo("solana");
          assertThat(second.getName()).isEqualTo("PEPE / SOL");
          assertThat(second.getCurrency()).isEqualTo("USD");
          assertThat(second.getPrice()).isEqualTo(1.7);
          assertThat(second.getPriceText()).isEqualTo("1.70");
          assertThat(second.getPreviousPrice()).isEqualTo(1.5);
          assertThat(second.getReserveUsd()).isEqualTo(50_000.0);
          assertThat(second.getTime()).isEqualTo(at(20));
        });
  }

  @Test
  void whatMovesNoPrice_isNotAPrice() {
    run.change(baseline(at(1), "1.5"));
    run.change(keyFrame(at(2), "1.5"));
    run.change(change(at(3), 40_000.0));
    run.change(removed(at(4), "gone"));

    assertThat(run.prices()).isEmpty();
  }

  @Test
  void ticker_isInItsTarget() {
    run.record(TopologyRun.TOPICS.ticker().changes(), "bitcoin/kraken/BTC/EUR", TickerChange.newBuilder()
        .setCoin("bitcoin").setMarket("kraken").setBase("BTC").setTarget("EUR")
        .setOrigin(new Origin("main", "coin_tickers", "/coins/bitcoin/tickers", 1L, false, false, at(5), null, null))
        .setAbout(TickerAbout.newBuilder().setName("Bitcoin").setPriceUsd(108_000.0).build())
        .setPrice(TickerPriceChange.newBuilder()
            .setBefore(TickerPrice.newBuilder().setLast(99_000.0).build())
            .setAfter(TickerPrice.newBuilder().setLast(100_000.0).build()).build())
        .build(), at(5));

    assertThat(run.prices()).singleElement().satisfies(price -> {
      assertThat(price.getSymbol()).isEqualTo("BTC");
      assertThat(price.getCurrency()).isEqualTo("EUR");
      assertThat(price.getPrice()).isEqualTo(100_000.0);
      assertThat(price.getPreviousPrice()).isEqualTo(99_000.0);
      assertThat(price.getPriceUsd()).isEqualTo(108_000.0);
      assertThat(price.getNetwork()).isNull();
    });
  }

  @Test
  void tableOfTheSchema_takesEachRecordAsARow() throws SQLException {
    run.change(moved(at(10), null, "1.50"));
    run.change(moved(at(20), "1.50", "3.00"));
    run.change(moved(at(30), "3.00", "0.30"));

    try (var database = DriverManager.getConnection("jdbc:h2:mem:")) {
      insert(database, run.prices());
      try (var found = database.createStatement().executeQuery("""
          select "name", count(*), max("price" / "previous_price"), max("time") from prices group by "name"
          """)) {
        assertThat(found.next()).isTrue();
        assertThat(found.getString(1)).isEqualTo("PEPE / SOL");
        assertThat(found.getInt(2)).isEqualTo(3);
        assertThat(found.getDouble(3)).isEqualTo(2.0);
        assertThat(found.getTimestamp(4).toInstant()).isEqualTo(at(30));
        assertThat(found.next()).isFalse();
      }
    }
  }

  /** As a JDBC sink does: a column for each field, by its type; a union with null is a column that may be null. */
  private static void insert(Connection database, List<Price> prices) throws SQLException {
    var fields = Price.SCHEMA$.getFields();
    database.createStatement().execute(fields.stream().map(PriceRecordsTest::column)
        .collect(Collectors.joining(", ", "create table prices (", ")")));
    try (var row = database.prepareStatement(
        "insert into prices values (" + String.join(", ", Collections.nCopies(fields.size(), "?")) + ")")) {
      for (var price : prices) {
        for (var field : fields) {
          var value = price.get(field.pos());
          row.setObject(field.pos() + 1, value instanceof Instant time ? Timestamp.from(time) : value);
        }
        row.executeUpdate();
      }
    }
  }

  private static String column(Schema.Field field) {
    var isOptional = field.schema().isUnion();
    var type = isOptional
        ? field.schema().getTypes().stream().filter(each -> each.getType() != Schema.Type.NULL).toList().getFirst()
        : field.schema();
    return "\"" + field.name() + "\" " + switch (type.getType()) {
      case STRING -> "varchar";
      case DOUBLE -> "double precision";
      case LONG -> "timestamp with time zone";
      default -> throw new AssertionError(field.name() + " is not flat: " + type);
    } + (isOptional ? "" : " not null");
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }
}

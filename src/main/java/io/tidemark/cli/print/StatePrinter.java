package io.tidemark.cli.print;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.RankingOrder;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Says what is known of a resource: its price and size first, then its revision and when it was observed. */
record StatePrinter(ZoneId zone) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /** An attribute that a state is read for. */
  private record Figure(String name, String path, FigureUnit unit) {}

  private static final List<Figure> FIGURES = List.of(
      new Figure("price", "price.base_token_price_usd", FigureUnit.USD),
      new Figure("price", "price.price_usd", FigureUnit.USD),
      new Figure("last price", "price.last", FigureUnit.NONE),
      new Figure("price", "market.current_price.usd", FigureUnit.USD),
      new Figure("reserve", "liquidity.reserve_in_usd", FigureUnit.USD_SUM),
      new Figure("reserve", "liquidity.total_reserve_in_usd", FigureUnit.USD_SUM),
      new Figure("volume 24h", "activity.volume_usd.h24", FigureUnit.USD_SUM),
      new Figure("volume", "volume.volume", FigureUnit.NONE),
      new Figure("funding rate", "funding.funding_rate", FigureUnit.PERCENT),
      new Figure("open interest", "open_interest.open_interest_usd", FigureUnit.USD_SUM),
      new Figure("open interest", "open_interest.open_interest_btc", FigureUnit.BTC),
      new Figure("amount", "position.amount", FigureUnit.NONE),
      new Figure("value", "valuation.current_value_usd", FigureUnit.USD_SUM),
      new Figure("value", "valuation.total_treasury_value_usd", FigureUnit.USD_SUM),
      new Figure("market cap", "market_cap.total_market_cap.usd", FigureUnit.USD_SUM),
      new Figure("volume", "volume.total_volume.usd", FigureUnit.USD_SUM),
      new Figure("native coin", "description.native_coin_id", FigureUnit.NONE));

  LineContent print(IndexedRecord state, IndexedRecord known) {
    var parts = new ArrayList<String>();
    FIGURES.forEach(figure -> {
      var value = AvroRecords.at(known, figure.path);
      if (value != null) {
        parts.add(figure.name + " " + figure.unit.format(value, zone));
      }
    });
    if (AvroRecords.at(known, "order") instanceof RankingOrder order) {
      parts.add(order.getEntries().size() + " pools");
    }
    add(parts, "revision ", AvroRecords.at(state, "revision"));
    if (AvroRecords.at(state, "observed_at") instanceof Instant at) {
      parts.add("observed " + TIME.format(at.atZone(zone)));
    }
    return LineContent.of(parts);
  }

  private static void add(List<String> parts, String name, @Nullable Object value) {
    if (value != null) {
      parts.add(name + Objects.toString(value));
    }
  }
}

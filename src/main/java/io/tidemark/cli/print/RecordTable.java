package io.tidemark.cli.print;

import static io.tidemark.cli.print.FigureUnit.NONE;
import static io.tidemark.cli.print.FigureUnit.PERCENT;
import static io.tidemark.cli.print.FigureUnit.USD;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.Candle;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.Launches;
import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Treasuries;
import io.tidemark.event.Trending;
import io.tidemark.event.Venue;
import io.tidemark.event.Venues;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The table of what is printed of each kind of record: its place (such as a network), its name, and its most
 * important columns.
 *
 * <p>Texts of the table have placeholders. {@code {a.b|c:UNIT}} is the attribute at the path {@code a.b}, or else at
 * {@code c}, in the given unit. The unit is a {@link FigureUnit}, {@code MINUTE} or {@code CLOCK} for times, {@code
 * CANDLE} for the unit of a candle's prices, {@code +} for points with a sign, {@code #} and a noun, such as {@code
 * #pool}, for a count, or {@code !text} for a text that is printed if a flag is false. {@code {~id}} is an identifier
 * shortened to its ends (a pool's without its network), {@code {key}} is the key of the record, {@code {@movers}} is a
 * value that {@link #computed} computes, and {@code 'text} is a literal alternative. A column whose placeholder has no
 * value is left out.
 */
record RecordTable(ZoneId zone) {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}:]+)(?::([^{}]+))?}");
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int NAMED_MOVERS = 3;
  private static final int LONGEST_TEXT = 300;
  private static final int LONGEST_ID = 14;
  private static final int ENDS = 6;

  private static final String NAME = "about.name|description.name";

  static final Map<String, Row> ROWS = Stream.of(
      new Row("Pool", "{network}", "{" + NAME + "|~address}"),
      new Row("Token", "{network}", "token {about.symbol|description.symbol|" + NAME + "|~address}"),
      new Row("Ranking", "{network|'all}", "{@ranking}"),
      new Row("Global", "global", "whole market"),
      new Row("CoinDay", "history", "{@day}"),
      new Row("Ticker", "{market}", "{~base}/{~target}"),
      new Row("DerivativesExchange", "exchange", "{" + NAME + "|key}"),
      new Row("Contract", "{exchange}", "{symbol}"),
      new Row("Treasury", "treasury", "{" + NAME + "|key}"),
      new Row("Holding", "{coin_id}", "{about.entity_name|entity}"),
      new Row("Platform", "platform", "{" + NAME + "|key}"),
      new Row("PoolListing", "{network|'all}", "{about.name|~pool}", "{@listing} of {size}: {list}"),
      new Row("Source", "source", "{source}", "{status} by {owner}", "{message}",
          "{budget.reserved:NONE} of {budget.per_month:NONE} calls of the month reserved"),
      new Row("Target", "target", "{operation}", "snapshot {snapshot} of {target}", "{members:#member}",
          "{complete:!not complete}"),
      new Row("Candle", "{@candlePlace}", "{@candleName}", "{interval} candle from {start:MINUTE}: {@candle}",
          "low {low:CANDLE} high {high:CANDLE}", "volume about {volume_usd_estimate:USD_SUM}"),
      new Row("OpenCandles", "{@candlePlace}", "{@candleName}", "{@candles}"),
      new Row("Movers", "{network}", "movers", "{@movers}", "{@losers}", "{@measured}"),
      new Row("Launches", "{network}", "{dex}", "{pools:#new pool} since {start:MINUTE}",
          "reserve {reserve_usd:USD_SUM}",
          "an hour later {@survival}"),
      new Row("Trending", "{network|'trending}", "{name|~pool}", "{@trending}", "best rank {best_rank}",
          "price {price_usd:USD}", "reserve {reserve_usd:USD_SUM}"),
      new Row("Liquidity", "{network}", "{dex|'whole network}", "{visible:#pool} with {reserve_usd:USD_SUM}",
          "volume 24h {volume_h24_usd:USD_SUM}", "{buys_h24:NONE} buys, {sells_h24:NONE} sells"),
      new Row("Venues", "coin", "{coin}", "{@venues}", "{@compared}"),
      new Row("TokenVenues", "{network}", "{symbol|token}", "spread {spread_percent:PERCENT}",
          "from {cheapest.price_usd:USD}", "on {cheapest.dex}", "to {dearest.price_usd:USD}", "on {dearest.dex}",
          "{pools:#pool} compared"),
      new Row("Derivatives", "coin", "{coin}", "funding {funding_rate:PERCENT}",
          "open interest {open_interest_usd:USD_SUM}", "basis {basis_percent:PERCENT}",
          "lowest funding {lowest_funding.value:PERCENT} {lowest_funding.symbol}",
          "highest {highest_funding.value:PERCENT} {highest_funding.symbol}"),
      new Row("Treasuries", "coin", "{coin}", "{holders:#holder} with {amount:NONE}", "worth {value_usd:USD_SUM}",
          "largest {@largest}"),
      new Row("Dominance", "coin", "{coin}", "{percentage:PERCENT} of the market", "{listed:!last listed}",
          "rank {rank}", "{change_1h:+} points in 1h", "{change_24h:+} points in 24h"))
      .collect(Collectors.toUnmodifiableMap(Row::type, row -> row));

  /** The columns of the states of all kinds of resources. Price and size come first. */
  private static final List<String> OF_STATES = List.of(
      "price {known.price.base_token_price_usd:USD}", "price {known.price.price_usd:USD}",
      "last price {known.price.last:NONE}", "price {known.market.current_price.usd:USD}",
      "reserve {known.liquidity.reserve_in_usd:USD_SUM}", "reserve {known.liquidity.total_reserve_in_usd:USD_SUM}",
      "volume 24h {known.activity.volume_usd.h24:USD_SUM}", "volume {known.volume.volume:NONE}",
      "funding rate {known.funding.funding_rate:PERCENT}",
      "open interest {known.open_interest.open_interest_usd:USD_SUM}",
      "open interest {known.open_interest.open_interest_btc:BTC}", "amount {known.position.amount:NONE}",
      "value {known.valuation.current_value_usd:USD_SUM}", "value {known.valuation.total_treasury_value_usd:USD_SUM}",
      "market cap {known.market_cap.total_market_cap.usd:USD_SUM}",
      "volume {known.volume.total_volume.usd:USD_SUM}", "native coin {known.description.native_coin_id}",
      "{known.order.entries:#pool}", "revision {revision}", "observed {observed_at:CLOCK}");

  /** A row of the table: the kind of record, its place and name, and its columns. */
  record Row(String type, String place, String name, List<String> columns) {
    Row(String type, String place, String name, String... columns) {
      this(type, place, name, List.of(columns));
    }
  }

  /**
   * Returns the place of a record: network, market, exchange or kind of resource, or the topic if the table has no row
   * for the record. Returns an empty text if the row's attributes have no value.
   */
  String place(SpecificRecord value, String topic, String key) {
    var row = row(value);
    return row == null ? topic : Objects.requireNonNullElse(fill(row.place, subject(value), key), "");
  }

  /**
   * Returns the name by which people know a record, or the key if the table has no row for the record. Returns an empty
   * text if the row's attributes have no value.
   */
  String name(SpecificRecord value, String key) {
    var row = row(value);
    return row == null ? key : Objects.requireNonNullElse(fill(row.name, subject(value), key), "");
  }

  /**
   * Returns the columns that have a value, the most important one first; none if the table has no row for the record
   * and the record is not a state.
   */
  List<String> columns(SpecificRecord value, String key) {
    var row = row(value);
    var ofKind = row == null ? List.<String>of() : row.columns;
    var columns = AvroRecords.at(value, "known") instanceof IndexedRecord ? OF_STATES : ofKind;
    return columns.stream().map(column -> fill(column, value, key)).flatMap(Stream::ofNullable).toList();
  }

  private static @Nullable Row row(SpecificRecord value) {
    return ROWS.get(value.getSchema().getName().replaceAll("(Change|State)$", ""));
  }

  /** Returns the resource that a state contains, or the record itself if it is not a state. */
  private static IndexedRecord subject(SpecificRecord value) {
    return AvroRecords.at(value, "known") instanceof IndexedRecord known ? known : value;
  }

  private @Nullable String fill(String template, IndexedRecord record, String key) {
    var filled = new StringBuilder();
    var matcher = PLACEHOLDER.matcher(template);
    while (matcher.find()) {
      var text = value(matcher.group(1), matcher.group(2), record, key);
      if (text == null) {
        return null;
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(text));
    }
    return matcher.appendTail(filled).toString();
  }

  private @Nullable String value(String alternatives, @Nullable String unit, IndexedRecord record, String key) {
    for (var path : alternatives.split("\\|", -1)) {
      var value = switch (path.charAt(0)) {
        case '\'' -> path.substring(1);
        case '@' -> computed(path.substring(1), record, key);
        case '~' -> AvroRecords.at(record, path.substring(1)) instanceof String id
            ? path.equals("~pool") ? shortened(id) : ends(id) : null;
        default -> path.equals("key") ? key : AvroRecords.at(record, path);
      };
      if (value != null && !value.toString().isBlank()) {
        return unit == null ? TerminalText.text(value.toString(), LONGEST_TEXT) : format(value, unit, record);
      }
    }
    return null;
  }

  private @Nullable String format(Object value, String unit, IndexedRecord record) {
    return switch (unit) {
      case "MINUTE" -> MINUTE.format(((Instant) value).atZone(zone));
      case "CLOCK" -> CLOCK.format(((Instant) value).atZone(zone));
      case "CANDLE" -> unit((Candle) record).format(value, zone);
      case "+" -> ((Double) value < 0 ? "" : "+") + NONE.format(value, zone);
      case String noun when noun.startsWith("#") -> TerminalText.counted(
          value instanceof Collection<?> all ? all.size() : ((Number) value).longValue(), noun.substring(1));
      case String otherwise when otherwise.startsWith("!") -> (Boolean) value ? null : otherwise.substring(1);
      default -> FigureUnit.valueOf(unit).format(value, zone);
    };
  }

  /** Computes the value of a placeholder that names a computation and not a path. Returns null if there is no value. */
  private @Nullable String computed(String name, IndexedRecord record, String key) {
    return switch (name) {
      case "ranking" -> ranking(record);
      case "day" -> key.replace('/', ' ');
      case "listing" -> listing((PoolListing) record);
      case "candlePlace" -> candleSubject(record).getFirst();
      case "candleName" -> candleSubject(record).getLast();
      case "candle" -> move((Candle) record);
      case "candles" -> ((OpenCandles) record).getCandles().stream()
          .map(candle -> candle.getInterval() + " " + move(candle)).collect(Collectors.joining(", "));
      case "movers" -> movers((Movers) record);
      case "losers" -> names(window((Movers) record).getLosers());
      case "measured" -> measured(window((Movers) record));
      case "survival" -> survival((Launches) record);
      case "trending" -> trending((Trending) record);
      case "venues" -> venues((Venues) record);
      case "compared" -> ((Venues) record).getCheapest() == null ? null : ((Venues) record).getCompared() + " compared";
      case "largest" -> ((Treasuries) record).getLargest().stream().findFirst()
          .map(largest -> Objects.requireNonNullElse(largest.getName(), largest.getEntity())).orElse(null);
      default -> throw new IllegalArgumentException("unknown computed value " + name);
    };
  }

  /** Returns the name of a ranking: its kind, and the parameters that the place does not show. */
  private String ranking(IndexedRecord resource) {
    var kind = String.valueOf(AvroRecords.at(resource, "kind"));
    var words = Stream.of("duration", "dex", "query", "~token")
        .flatMap(field -> Stream.ofNullable(value(field, null, resource, "")))
        .collect(Collectors.joining(" "));
    return switch (kind) {
      case "new" -> "new pools";
      case "top" -> "top of " + words;
      case "dex" -> "pools on " + words;
      case "token" -> "pools of " + words;
      case "search" -> "search " + words;
      default -> kind + (words.isEmpty() ? "" : " " + words);
    };
  }

  private static String listing(PoolListing listing) {
    return switch (listing.getAction()) {
      case "entered" -> "entered at rank " + listing.getRank();
      case "exited" -> "exited from rank " + listing.getRankBefore();
      default -> rankMove(listing.getRankBefore(), listing.getRank());
    };
  }

  /**
   * Describes a move of a pool in the order of a list. A pool that moved may still have the same rank, such as if as
   * many pools entered above it as exited above it.
   */
  static String rankMove(@Nullable Integer before, @Nullable Integer after) {
    return Objects.equals(before, after) ? "reordered at rank " + after : "rank " + before + " -> " + after;
  }

  /** Returns the place and name of a candle, from its id. A ticker's id has slashes; other ids begin with a network. */
  private static List<String> candleSubject(IndexedRecord candle) {
    var resource = String.valueOf(AvroRecords.at(candle, "resource"));
    var id = String.valueOf(AvroRecords.at(candle, "id"));
    var parts = id.split("/", -1);
    if (resource.equals("ticker") && parts.length == 4) {
      return List.of(parts[1], ends(parts[2]) + "/" + ends(parts[3]));
    }
    var end = resource.equals("ticker") ? -1 : id.lastIndexOf('_');
    return end < 0 ? List.of(resource, id)
        : List.of(id.substring(0, end), Objects.requireNonNullElseGet(candleName(candle),
            () -> shortened(id.substring(end + 1))));
  }

  /** Returns the name of a candle's resource, or null if the name is not known. */
  private static @Nullable String candleName(IndexedRecord candle) {
    var one = candle instanceof OpenCandles open ? open.getCandles().stream().findFirst().orElse(null) : candle;
    return AvroRecords.at(one, "name") instanceof String name && !name.isBlank()
        ? TerminalText.text(name, LONGEST_TEXT)
        : null;
  }

  private String move(Candle candle) {
    var move = DecimalMath.percentChange(candle.getOpen(), candle.getClose());
    var percent = move == null ? "" : FigureUnit.percent(move);
    var close = candle.getClose() == null ? "unknown" : unit(candle).format(candle.getClose(), zone);
    return "close " + close + (percent.isEmpty() ? "" : " " + percent);
  }

  /** Returns the unit of a candle's prices. Prices of tickers have no unit, since they are in the target currency. */
  private static FigureUnit unit(Candle candle) {
    return candle.getResource().equals("ticker") ? NONE : USD;
  }

  /**
   * Returns the window of one hour, or the window of 5 minutes if the window of one hour has no measurements, as in the
   * first hour after the start.
   */
  private static MoverWindow window(Movers movers) {
    return movers.getH1().getMeasured() > 0 ? movers.getH1() : movers.getM5();
  }

  private static String movers(Movers movers) {
    var window = window(movers);
    if (window.getMeasured() == 0) {
      return "no price is known for 5 minutes yet";
    }
    return (movers.getH1().getMeasured() > 0 ? "1h: " : "5m: ")
        + (window.getGainers().isEmpty() ? "nothing rose" : names(window.getGainers()));
  }

  private static @Nullable String measured(MoverWindow window) {
    return window.getMeasured() == 0
        ? null
        : window.getUp() + " of " + window.getMeasured() + " up, " + window.getDown() + " down";
  }

  private static String names(List<Mover> movers) {
    return movers.stream()
        .limit(NAMED_MOVERS)
        .map(mover -> TerminalText.text(Objects.requireNonNullElse(mover.getName(), shortened(mover.getPool()))) + " "
            + FigureUnit.percent(mover.getPercent()))
        .collect(Collectors.joining(", "));
  }

  private static @Nullable String survival(Launches launches) {
    var after = launches.getAfter1h();
    return after.getHeld() + after.getLost() + after.getNotObserved() == 0
        ? null
        : after.getHeld() + " held, " + after.getLost() + " lost, " + after.getNotObserved() + " not seen";
  }

  private static String trending(Trending trending) {
    return trending.getDurations() == 0
        ? "no longer trending"
        : "trending in " + TerminalText.counted(trending.getDurations(), "list");
  }

  private String venues(Venues venues) {
    var cheapest = venues.getCheapest();
    var dearest = venues.getDearest();
    if (cheapest == null || dearest == null) {
      return "no venue to compare";
    }
    var spread = venues.getSpreadPercent();
    return spread == null
        ? "one venue: " + venue(cheapest)
        : venue(cheapest) + " to " + venue(dearest) + ", spread " + PERCENT.format(spread, zone);
  }

  private String venue(Venue venue) {
    return TerminalText.text(venue.getMarket()) + " " + USD.format(venue.getPriceUsd(), zone);
  }

  /** Removes the network of a pool's or token's id, which ends with the last underscore, and shortens the address. */
  static String shortened(String id) {
    return ends(id.substring(id.lastIndexOf('_') + 1));
  }

  /** Shortens an identifier to its beginning and end if it has more than {@link #LONGEST_ID} characters. */
  private static String ends(String address) {
    return address.length() <= LONGEST_ID
        ? address
        : address.substring(0, ENDS) + "…" + address.substring(address.length() - ENDS);
  }
}

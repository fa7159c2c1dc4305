package io.tidemark.cli.print;

import static io.tidemark.cli.print.FigureUnit.NONE;
import static io.tidemark.cli.print.FigureUnit.PERCENT;
import static io.tidemark.cli.print.FigureUnit.USD;
import static io.tidemark.cli.print.FigureUnit.USD_SUM;

import io.tidemark.event.Candle;
import io.tidemark.event.ContractFigure;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.Derivatives;
import io.tidemark.event.Dominance;
import io.tidemark.event.Launches;
import io.tidemark.event.Liquidity;
import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.Treasuries;
import io.tidemark.event.Trending;
import io.tidemark.event.Venue;
import io.tidemark.event.Venues;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Says what an aggregate is read for: a candle's close, the movers, the cheapest and the dearest venue. */
record AggregatePrinter(ZoneId zone) {

  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm");
  private static final int NAMED_MOVERS = 3;

  /** An aggregate in the words of a line. */
  record PrintedAggregate(RecordSubject subject, LineContent content) {}

  /** Null where the record is no aggregate. */
  @Nullable
  PrintedAggregate print(SpecificRecord value) {
    return switch (value) {
      case Candle candle -> new PrintedAggregate(
          RecordSubject.ofKey(candle.getResource(), candle.getId()), LineContent.of(candle(candle)));
      case OpenCandles open -> new PrintedAggregate(RecordSubject.ofKey(open.getResource(), open.getId()),
          LineContent.of(open.getCandles().stream().map(this::shortCandle).toList()));
      case Movers movers -> of(movers.getNetwork(), "movers", movers(movers));
      case Launches launches -> of(launches.getNetwork(), launches.getDex(), launches(launches));
      case Trending trending -> of(Objects.requireNonNullElse(trending.getNetwork(), "trending"),
          Objects.requireNonNullElse(trending.getName(), RecordSubject.shortened(trending.getPool())),
          trending(trending));
      case Liquidity liquidity -> of(liquidity.getNetwork(),
          Objects.requireNonNullElse(liquidity.getDex(), "whole network"), liquidity(liquidity));
      case Venues venues -> of("coin", venues.getCoin(), venues(venues));
      case Derivatives derivatives -> of("coin", derivatives.getCoin(), derivatives(derivatives));
      case Treasuries treasuries -> of("coin", treasuries.getCoin(), treasuries(treasuries));
      case Dominance dominance -> of("coin", dominance.getCoin(), dominance(dominance));
      default -> null;
    };
  }

  private static PrintedAggregate of(String place, String name, Stream<@Nullable String> parts) {
    return new PrintedAggregate(new RecordSubject(place, name),
        LineContent.of(parts.filter(Objects::nonNull).map(Objects::requireNonNull).toList()));
  }

  private List<String> candle(Candle candle) {
    var unit = unit(candle);
    var parts = new ArrayList<String>();
    parts.add(candle.getInterval() + " candle from " + MINUTE.format(candle.getStart().atZone(zone)) + ": "
        + shortMove(candle));
    parts.add("low " + figure(unit, candle.getLow()) + " high " + figure(unit, candle.getHigh()));
    if (candle.getVolumeUsdEstimate() != null) {
      parts.add("volume about " + USD_SUM.format(candle.getVolumeUsdEstimate()));
    }
    return parts;
  }

  private String shortCandle(Candle candle) {
    return candle.getInterval() + " " + shortMove(candle);
  }

  private static String shortMove(Candle candle) {
    var move = DecimalMath.percentChange(candle.getOpen(), candle.getClose());
    var percent = move == null ? "" : FigureUnit.percent(move);
    return "close " + figure(unit(candle), candle.getClose()) + (percent.isEmpty() ? "" : " " + percent);
  }

  /** Prices of tickers are in the target currency. */
  private static FigureUnit unit(Candle candle) {
    return candle.getResource().equals("ticker") ? NONE : USD;
  }

  /** The longest window that has movers within the hour comes first: a minute after the start there is only the short one. */
  private static Stream<@Nullable String> movers(Movers movers) {
    var window = movers.getH1().getMeasured() > 0 ? movers.getH1() : movers.getM5();
    var name = movers.getH1().getMeasured() > 0 ? "1h" : "5m";
    return Stream.of(
        window.getMeasured() == 0 ? "no price is known for 5 minutes yet" : name + ": " + best(window),
        window.getLosers().isEmpty() ? null : names(window.getLosers()),
        window.getMeasured() == 0
            ? null
            : window.getUp() + " of " + window.getMeasured() + " up, " + window.getDown() + " down");
  }

  private static String best(MoverWindow window) {
    return window.getGainers().isEmpty() ? "nothing rose" : names(window.getGainers());
  }

  private static String names(List<Mover> movers) {
    return String.join(", ", movers.stream()
        .limit(NAMED_MOVERS)
        .map(mover -> TerminalText.text(
            Objects.requireNonNullElse(mover.getName(), RecordSubject.shortened(mover.getPool()))) + " "
            + FigureUnit.percent(mover.getPercent()))
        .toList());
  }

  private Stream<@Nullable String> launches(Launches launches) {
    var after = launches.getAfter1h();
    var isKnown = after.getHeld() + after.getLost() + after.getNotObserved() > 0;
    return Stream.of(
        TerminalText.counted(launches.getPools(), "new pool") + " since "
            + MINUTE.format(launches.getStart().atZone(zone)),
        "reserve " + USD_SUM.format(launches.getReserveUsd()),
        isKnown
            ? "an hour later " + after.getHeld() + " held, " + after.getLost() + " lost, " + after.getNotObserved()
                + " not seen"
            : null);
  }

  private static Stream<@Nullable String> trending(Trending trending) {
    return Stream.of(
        trending.getDurations() == 0
            ? "no longer trending"
            : "trending in " + TerminalText.counted(trending.getDurations(), "list"),
        trending.getBestRank() == null ? null : "best rank " + trending.getBestRank(),
        trending.getPriceUsd() == null ? null : "price " + USD.format(trending.getPriceUsd()),
        trending.getReserveUsd() == null ? null : "reserve " + USD_SUM.format(trending.getReserveUsd()));
  }

  private static Stream<@Nullable String> liquidity(Liquidity liquidity) {
    return Stream.of(
        TerminalText.counted(liquidity.getVisible(), "pool") + " with " + USD_SUM.format(liquidity.getReserveUsd()),
        "volume 24h " + USD_SUM.format(liquidity.getVolumeH24Usd()),
        NONE.format((double) liquidity.getBuysH24()) + " buys, "
            + NONE.format((double) liquidity.getSellsH24()) + " sells");
  }

  private static Stream<@Nullable String> venues(Venues venues) {
    var cheapest = venues.getCheapest();
    var dearest = venues.getDearest();
    if (cheapest == null || dearest == null) {
      return Stream.of("no venue to compare");
    }
    var spread = venues.getSpreadPercent();
    return Stream.<@Nullable String>of(
        spread == null
            ? "one venue: " + venue(cheapest)
            : venue(cheapest) + " to " + venue(dearest) + ", spread " + PERCENT.format(spread),
        venues.getCompared() + " compared");
  }

  private static String venue(Venue venue) {
    return TerminalText.text(venue.getMarket()) + " " + USD.format(venue.getPriceUsd());
  }

  private static Stream<@Nullable String> derivatives(Derivatives derivatives) {
    return Stream.of(
        derivatives.getFundingRate() == null ? null : "funding " + PERCENT.format(derivatives.getFundingRate()),
        "open interest " + USD_SUM.format(derivatives.getOpenInterestUsd()),
        derivatives.getBasisPercent() == null ? null : "basis " + PERCENT.format(derivatives.getBasisPercent()),
        extreme("lowest funding", derivatives.getLowestFunding()),
        extreme("highest", derivatives.getHighestFunding()));
  }

  private static @Nullable String extreme(String what, @Nullable ContractFigure figure) {
    return figure == null
        ? null
        : what + " " + PERCENT.format(figure.getValue()) + " " + TerminalText.text(figure.getSymbol());
  }

  private static Stream<@Nullable String> treasuries(Treasuries treasuries) {
    var largest = treasuries.getLargest().stream().findFirst().orElse(null);
    return Stream.of(
        TerminalText.counted(treasuries.getHolders(), "holder") + " with "
            + NONE.format(treasuries.getAmount()),
        "worth " + USD_SUM.format(treasuries.getValueUsd()),
        largest == null
            ? null
            : "largest " + TerminalText.text(Objects.requireNonNullElse(largest.getName(), largest.getEntity())));
  }

  private static Stream<@Nullable String> dominance(Dominance dominance) {
    return Stream.of(
        PERCENT.format(dominance.getPercentage()) + " of the market" + (dominance.getListed() ? "" : ", last listed"),
        dominance.getRank() == null ? null : "rank " + dominance.getRank(),
        points(dominance.getChange1h(), "1h"),
        points(dominance.getChange24h(), "24h"));
  }

  private static @Nullable String points(@Nullable Double points, String window) {
    return points == null ? null : (points < 0 ? "" : "+") + NONE.format(points) + " points in " + window;
  }

  private static String figure(FigureUnit unit, @Nullable Double value) {
    return value == null ? "unknown" : unit.format(value);
  }
}

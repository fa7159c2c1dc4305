package io.tidemark.simulator;

import io.tidemark.event.CodeAdditionsDeletions;
import io.tidemark.event.CoinDay;
import io.tidemark.event.CoinDayCommunity;
import io.tidemark.event.CoinDayDescription;
import io.tidemark.event.CoinDayDevelopment;
import io.tidemark.event.CoinDayInterest;
import io.tidemark.event.CoinDayMarket;
import io.tidemark.event.CoinDayMedia;
import io.tidemark.event.CoinDayTranslation;
import io.tidemark.event.CoinImage;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.simulator.TextTable.TableRow;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Operation 9 of the service: the figures of a coin at 00:00 UTC of a day. The figures of a day are available from
 * 00:35 UTC of the next day, for 365 days.
 */
record CoinHistoryOperation(StatelessRandom random, CoinPrices coins, CurrencyRates currencies) {
  private static final Duration AVAILABLE_AFTER = Duration.ofDays(1).plusMinutes(35);
  private static final int DAYS = 365;
  private static final int LARGEST_COMMUNITY = 3_000;
  private static final double OPEN_ISSUES = 200;

  /**
   * Column of the table of languages that contains the names of a coin, by coin id. All other coins have their English
   * name in each language.
   */
  private static final Map<String, Integer> NAME_COLUMNS = Map.of("bitcoin", 1, "ethereum", 2);

  private static final List<TableRow> LANGUAGES = TextTable.read("languages.txt");

  Observation<CoinDay> answer(long at, Query.CoinHistory query) {
    var now = Instant.ofEpochMilli(at);
    var coin = coins.coin(query.id());
    if (query.date().isBefore(LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(DAYS))) {
      throw new Failure.NotInPlan("history of the past " + DAYS + " days only, not of " + query.date());
    }
    var day = describedDay(coin, query);
    var midnight = query.date().atStartOfDay().toInstant(ZoneOffset.UTC);
    return now.isBefore(midnight.plus(AVAILABLE_AFTER)) ? Observation.of(day) : withFigures(day, coin, midnight);
  }

  private static CoinDay describedDay(SimulatedCoin coin, Query.CoinHistory query) {
    var day = new CoinDay();
    day.setCoin(coin.id());
    day.setDate(query.date().toString());
    day.setDescription(new CoinDayDescription(coin.symbol(), coin.name()));
    day.setMedia(new CoinDayMedia(new CoinImage(image(coin, "thumb"), image(coin, "small"))));
    if (query.localization()) {
      day.setTranslation(new CoinDayTranslation(names(coin)));
    }
    return day;
  }

  private static String image(SimulatedCoin coin, String size) {
    return AnswerFormats.image("coins", coin.id(), size);
  }

  private static Map<String, String> names(SimulatedCoin coin) {
    var column = NAME_COLUMNS.get(coin.id());
    var names = new TreeMap<String, String>();
    for (var row : LANGUAGES) {
      String name = column == null ? null : row.textOrNull(column);
      names.put(row.text(0), name == null ? coin.name() : name);
    }
    return names;
  }

  private Observation<CoinDay> withFigures(CoinDay day, SimulatedCoin coin, Instant midnight) {
    long at = midnight.toEpochMilli();
    day.setMarket(new CoinDayMarket(
        currencies.of(coins.price(coin.id(), at), at), currencies.of(coins.cap(coin, at), at),
        currencies.of(coins.volume(coin, at), at)));
    var own = random.derive(coin.id());
    double size = 300 + own.intBelow(LARGEST_COMMUNITY, 0);
    long number = Duration.ofMillis(at).toDays();
    day.setCommunity(community(own.derive("reddit"), size, number));
    day.setDevelopment(development(own.derive("code"), size, number));
    day.setInterest(new CoinDayInterest(null, null));
    return new Observation<>(
        day, Set.of("community.facebook_likes", "interest.alexa_rank", "interest.bing_matches"));
  }

  private static CoinDayCommunity community(StatelessRandom own, double size, long day) {
    double subscribers = size * 200 + day * 7;
    return new CoinDayCommunity(
        null, AnswerFormats.rounded(own.between(0, 12, day), 3), AnswerFormats.rounded(own.between(0, 400, ~day), 3),
        subscribers, Math.floor(subscribers * own.between(0.0005, 0.002, day)));
  }

  private static CoinDayDevelopment development(StatelessRandom own, double size, long day) {
    return new CoinDayDevelopment(
        12 * size, 25 * size, total(size, day, 50), total(3 * size, day, 4), total(3 * size, day, 4) - OPEN_ISSUES,
        total(4 * size, day, 3), Math.floor(size / 3), (double) own.intBelow(300, day),
        new CodeAdditionsDeletions((double) own.intBelow(9_000, day), (double) -own.intBelow(6_000, ~day)));
  }

  /** Returns a total that grows by one each time the given number of days has passed. */
  private static double total(double size, long day, int days) {
    return size + Math.floorDiv(day, days);
  }
}

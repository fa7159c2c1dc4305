package io.tidemark.simulator.coin;

import io.tidemark.event.CoinDay;
import io.tidemark.event.CoinDayDescription;
import io.tidemark.event.CoinDayMarket;
import io.tidemark.event.CoinDayMedia;
import io.tidemark.event.CoinDayTranslation;
import io.tidemark.event.CoinImage;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.simulator.generator.Images;
import io.tidemark.simulator.generator.StatelessRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Set;

/** Operation 9: a coin as it stood at 00:00 UTC of a day; shown from 00:35 UTC of the next day on, for 365 days. */
public final class CoinHistoryOperation {
  private static final Duration AVAILABLE_AFTER = Duration.ofDays(1).plusMinutes(35);
  private static final int DAYS = 365;

  private final CoinPrices coins;
  private final CurrencyRates currencies;
  private final Languages languages = new Languages();
  private final Community community;

  public CoinHistoryOperation(StatelessRandom random, CoinPrices coins, CurrencyRates currencies) {
    this.coins = coins;
    this.currencies = currencies;
    this.community = new Community(random);
  }

  public Observation<CoinDay> at(Instant now, Query.CoinHistory query) {
    var coin = coins.coin(query.id());
    if (query.date().isBefore(LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(DAYS))) {
      throw new Failure.NotInPlan("history of the past " + DAYS + " days only, not of " + query.date());
    }
    var day = description(coin, query);
    var midnight = query.date().atStartOfDay().toInstant(ZoneOffset.UTC);
    return now.isBefore(midnight.plus(AVAILABLE_AFTER)) ? Observation.of(day) : figures(day, coin, midnight);
  }

  private CoinDay description(Coin coin, Query.CoinHistory query) {
    var day = new CoinDay();
    day.setCoin(coin.id());
    day.setDate(query.date().toString());
    day.setDescription(new CoinDayDescription(coin.symbol(), coin.name()));
    day.setMedia(new CoinDayMedia(new CoinImage(Images.coin(coin.id(), "thumb"), Images.coin(coin.id(), "small"))));
    if (query.localization()) {
      day.setTranslation(new CoinDayTranslation(languages.names(coin)));
    }
    return day;
  }

  private Observation<CoinDay> figures(CoinDay day, Coin coin, Instant midnight) {
    long at = midnight.toEpochMilli();
    day.setMarket(new CoinDayMarket(
        currencies.of(coins.price(coin.id(), at), at),
        currencies.of(coins.cap(coin, at), at),
        currencies.of(coins.volume(coin, at), at)));
    long number = Duration.ofMillis(at).toDays();
    day.setCommunity(community.figures(coin, number));
    day.setDevelopment(community.development(coin, number));
    day.setInterest(community.interest());
    return new Observation<>(
        day, Set.of("community.facebook_likes", "interest.alexa_rank", "interest.bing_matches"));
  }
}

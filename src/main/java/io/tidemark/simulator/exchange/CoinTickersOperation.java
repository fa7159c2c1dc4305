package io.tidemark.simulator.exchange;

import io.tidemark.event.Converted;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerConverted;
import io.tidemark.event.TickerDepth;
import io.tidemark.event.TickerDescription;
import io.tidemark.event.TickerMedia;
import io.tidemark.event.TickerPrice;
import io.tidemark.event.TickerQuality;
import io.tidemark.event.TickerSpread;
import io.tidemark.event.TickerTimes;
import io.tidemark.event.TickerVolume;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.TickerOrder;
import io.tidemark.market.TickersAnswer;
import io.tidemark.simulator.coin.Coin;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.AnswerFormats;
import io.tidemark.simulator.generator.Images;
import io.tidemark.simulator.pool.Pages;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Operation 10: a coin across exchanges, a hundred to a page. */
public final class CoinTickersOperation {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'+00:00'").withZone(ZoneOffset.UTC);

  private final CoinPrices coins;
  private final SpotOffers spot;
  private final PoolOffers pools;

  public CoinTickersOperation(CoinPrices coins, SpotOffers spot, PoolOffers pools) {
    this.coins = coins;
    this.spot = spot;
    this.pools = pools;
  }

  public TickersAnswer tickers(long at, Query.CoinTickers query) {
    var coin = coins.coin(query.id());
    var offers = ordered(Stream.concat(spot.of(coin, at), pools.of(coin, query.dexPairFormat(), at)), query.order())
        .filter(offer -> wanted(offer, query))
        .toList();
    var page = Pages.page(offers, query.page(), Pages.TICKERS);
    return new TickersAnswer(coin.name(), page.stream().map(offer -> ticker(coin, offer, query)).toList());
  }

  private static boolean wanted(TickerOffer offer, Query.CoinTickers query) {
    return query.exchangeIds() == null || List.of(query.exchangeIds().split(",")).contains(offer.market());
  }

  /** There are no trust scores any more; what they ordered keeps the order in which exchanges are ranked. */
  private static Stream<TickerOffer> ordered(Stream<TickerOffer> offers, TickerOrder order) {
    return switch (order) {
      case TRUST_SCORE_DESC -> offers;
      case TRUST_SCORE_ASC -> offers.toList().reversed().stream();
      case VOLUME_DESC -> offers.sorted(Comparator.comparingDouble(TickerOffer::volumeUsd).reversed());
      case VOLUME_ASC -> offers.sorted(Comparator.comparingDouble(TickerOffer::volumeUsd));
    };
  }

  private Observation<Ticker> ticker(Coin coin, TickerOffer offer, Query.CoinTickers query) {
    var nulls = new HashSet<>(Set.of("quality.trust_score", "media.token_info_url"));
    var ticker = new Ticker();
    ticker.setCoin(coin.id());
    ticker.setMarket(offer.market());
    ticker.setBase(offer.base());
    ticker.setTarget(offer.target());
    ticker.setDescription(
        new TickerDescription(coin.name(), offer.marketName(), false, coin.id(), offer.targetCoin()));
    if (offer.targetCoin() == null) {
      nulls.add("description.target_coin_id");
    }
    String logo = query.logo() ? Images.market(offer.market(), "small") : null;
    ticker.setMedia(new TickerMedia(logo, "https://" + offer.market() + ".example/trade/" + coin.symbol(), null));
    figures(ticker, offer, query.depth());
    return new Observation<>(ticker, nulls);
  }

  private void figures(Ticker ticker, TickerOffer offer, boolean depth) {
    ticker.setPrice(new TickerPrice(AnswerFormats.number(offer.last())));
    ticker.setVolume(new TickerVolume(AnswerFormats.number(offer.volume())));
    ticker.setConverted(
        new TickerConverted(converted(offer.usd(), offer.traded()), converted(offer.volumeUsd(), offer.traded())));
    ticker.setSpread(new TickerSpread(AnswerFormats.rounded(offer.spread(), 6)));
    if (depth) {
      double up = AnswerFormats.number(offer.depthUsd());
      ticker.setDepth(new TickerDepth(up, AnswerFormats.number(0.9 * offer.depthUsd())));
    }
    ticker.setQuality(new TickerQuality(null, offer.anomaly(), offer.stale()));
    String traded = time(offer.traded());
    ticker.setTimes(new TickerTimes(traded, traded, time(offer.fetched())));
  }

  private Converted converted(double usd, long at) {
    return new Converted(
        AnswerFormats.number(usd / coins.price("bitcoin", at)),
        AnswerFormats.number(usd / coins.price("ethereum", at)),
        AnswerFormats.number(usd));
  }

  private static String time(long at) {
    return TIME.format(Instant.ofEpochMilli(at));
  }
}

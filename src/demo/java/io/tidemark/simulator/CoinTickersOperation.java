package io.tidemark.simulator;

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
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.simulator.RollingActivity.RollingWindow;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operation 10 of the service: tickers of a coin on all exchanges, a hundred per page. */
record CoinTickersOperation(CoinPrices coins, SpotTickers spot, PoolDirectory directory) {
  private static final int PAGE = 100;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'+00:00'").withZone(ZoneOffset.UTC);

  /** Spread of pools in percent. */
  private static final double SPREAD = 0.6;

  /** Share of one side of a pool that has to be traded to move the price by 2 percent. */
  private static final double TWO_PERCENT = 0.01;

  TickersAnswer answer(long at, Query.CoinTickers query) {
    var coin = coins.coin(query.id());
    var tickers = ordered(Stream.concat(spot.of(coin, at), inPools(coin, query.dexPairFormat(), at)), query.order())
        .filter(figures -> isRequested(figures, query))
        .skip((query.page() - 1L) * PAGE)
        .limit(PAGE)
        .map(figures -> ticker(coin, figures, query));
    return new TickersAnswer(coin.name(), tickers.toList());
  }

  private static boolean isRequested(TickerFigures figures, Query.CoinTickers query) {
    return query.exchangeIds() == null || List.of(query.exchangeIds().split(",")).contains(figures.market());
  }

  /**
   * Orders tickers. The service no longer has trust scores, so descending order by trust score is the order in which
   * exchanges are ranked, here that of their table with the pools last, and ascending order is the reverse.
   */
  private static Stream<TickerFigures> ordered(Stream<TickerFigures> tickers, TickerOrder order) {
    return switch (order) {
      case TRUST_SCORE_DESC -> tickers;
      case TRUST_SCORE_ASC -> tickers.toList().reversed().stream();
      case VOLUME_DESC -> tickers.sorted(Comparator.comparingDouble(TickerFigures::volumeUsd).reversed());
      case VOLUME_ASC -> tickers.sorted(Comparator.comparingDouble(TickerFigures::volumeUsd));
    };
  }

  private Observation<Ticker> ticker(SimulatedCoin coin, TickerFigures figures, Query.CoinTickers query) {
    var nulls = new HashSet<>(Set.of("quality.trust_score", "media.token_info_url"));
    var ticker = new Ticker();
    ticker.setCoin(coin.id());
    ticker.setMarket(figures.market());
    ticker.setBase(figures.base());
    ticker.setTarget(figures.target());
    ticker.setDescription(
        new TickerDescription(coin.name(), figures.marketName(), false, coin.id(), figures.targetCoin()));
    AnswerFormats.addIfNull(nulls, "description.target_coin_id", figures.targetCoin());
    String logo = query.logo() ? AnswerFormats.image("markets", figures.market(), "small") : null;
    ticker.setMedia(new TickerMedia(logo, "https://" + figures.market() + ".example/trade/" + coin.symbol(), null));
    setFigures(ticker, figures, query.depth());
    return new Observation<>(ticker, nulls);
  }

  private void setFigures(Ticker ticker, TickerFigures figures, boolean depth) {
    ticker.setPrice(new TickerPrice(AnswerFormats.number(figures.last())));
    ticker.setVolume(new TickerVolume(AnswerFormats.number(figures.volume())));
    ticker.setConverted(
        new TickerConverted(converted(figures.usd(), figures.traded()),
            converted(figures.volumeUsd(), figures.traded())));
    ticker.setSpread(new TickerSpread(AnswerFormats.rounded(figures.spread(), 6)));
    if (depth) {
      double up = AnswerFormats.number(figures.depthUsd());
      ticker.setDepth(new TickerDepth(up, AnswerFormats.number(0.9 * figures.depthUsd())));
    }
    ticker.setQuality(new TickerQuality(null, figures.anomaly(), figures.stale()));
    String traded = TIME.format(Instant.ofEpochMilli(figures.traded()));
    ticker.setTimes(new TickerTimes(traded, traded, TIME.format(Instant.ofEpochMilli(figures.fetched()))));
  }

  private Converted converted(double usd, long at) {
    return new Converted(
        AnswerFormats.number(usd / coins.price("bitcoin", at)),
        AnswerFormats.number(usd / coins.price("ethereum", at)), AnswerFormats.number(usd));
  }

  /**
   * Returns a ticker of the coin for each active established pool whose tokens stand for this coin and another coin.
   */
  private Stream<TickerFigures> inPools(SimulatedCoin coin, DexPairFormat format, long at) {
    return Arrays.stream(Network.values())
        .flatMap(network -> directory.established(network).filter(pool -> pool.isActive(at)))
        .map(pool -> figures(coin, pool, format, at))
        .filter(Objects::nonNull);
  }

  private @Nullable TickerFigures figures(SimulatedCoin coin, SimulatedPool pool, DexPairFormat format, long at) {
    var base = pool.base().coin();
    var quote = pool.quote().coin();
    if (base == null || quote == null || base.equals(quote)) {
      return null;
    }
    var balance = pool.balance(at);
    if (base.equals(coin)) {
      return figures(pool, pool.base(), pool.quote(), balance.baseUsd(), balance.quoteUsd(), format, at);
    }
    return quote.equals(coin)
        ? figures(pool, pool.quote(), pool.base(), balance.quoteUsd(), balance.baseUsd(), format, at)
        : null;
  }

  private TickerFigures figures(
      SimulatedPool pool, SimulatedToken base, SimulatedToken target, double usd, double targetUsd,
      DexPairFormat format, long at) {
    double traded = new RollingActivity(pool, at).volumeUsd(RollingWindow.H24);
    return new TickerFigures(
        pool.dex(), Objects.requireNonNull(directory.exchanges(pool.network()).get(pool.dex())), name(base, format),
        name(target, format), target.coin() == null ? null : target.coin().id(), usd, targetUsd, traded / usd, SPREAD,
        pool.balance(at).sideUsd() * TWO_PERCENT, pool.lastTrade(at), at, false, false);
  }

  private static String name(SimulatedToken token, DexPairFormat format) {
    return format == DexPairFormat.SYMBOL ? token.symbol() : token.address();
  }

  /**
   * The figures in a ticker of a coin at one market.
   *
   * @param target symbol, or token address, of the coin or currency for which the coin is traded
   * @param targetCoin id of the target coin; null if the target is a currency
   * @param volume volume of 24 hours, in coins
   * @param spread spread in percent
   * @param depthUsd approximate cost of raising the price by 2 percent; lowering it costs 0.9 times as much
   * @param fetched time at which the service fetched the ticker
   */
  record TickerFigures(
      String market, String marketName, String base, String target, @Nullable String targetCoin, double usd,
      double targetUsd, double volume, double spread, double depthUsd, long traded, long fetched, boolean stale,
      boolean anomaly) {
    double last() {
      return usd / targetUsd;
    }

    double volumeUsd() {
      return volume * usd;
    }
  }
}

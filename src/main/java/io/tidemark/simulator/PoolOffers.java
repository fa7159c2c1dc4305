package io.tidemark.simulator;

import io.tidemark.market.DexPairFormat;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Coins in the old pools of decentralised exchanges, where both sides are coins. */
final class PoolOffers {
  private static final double SPREAD = 0.6;
  private static final double TWO_PERCENT = 0.01;

  private final PoolBook book;

  PoolOffers(PoolBook book) {
    this.book = book;
  }

  Stream<Offer> of(Coin coin, DexPairFormat format, long at) {
    return Arrays.stream(Network.values())
        .flatMap(network -> book.old(network).filter(pool -> pool.active(at)))
        .map(pool -> offer(coin, pool, format, at))
        .filter(Objects::nonNull);
  }

  private @Nullable Offer offer(Coin coin, PoolFacts pool, DexPairFormat format, long at) {
    var base = pool.base().coin();
    var quote = pool.quote().coin();
    if (base == null || quote == null || base.equals(quote)) {
      return null;
    }
    var balance = pool.balance(at);
    if (base.equals(coin)) {
      return offer(pool, pool.base(), pool.quote(), balance.baseUsd(), balance.quoteUsd(), format, at);
    }
    return quote.equals(coin)
        ? offer(pool, pool.quote(), pool.base(), balance.quoteUsd(), balance.baseUsd(), format, at)
        : null;
  }

  private Offer offer(
      PoolFacts pool, TokenFacts base, TokenFacts target, double usd, double targetUsd, DexPairFormat format, long at) {
    double traded = new Activity(pool, at).flow(Window.H24).usd();
    return new Offer(
        pool.dex(),
        Objects.requireNonNull(book.exchanges(pool.network()).get(pool.dex())),
        named(base, format),
        named(target, format),
        target.coin() == null ? null : target.coin().id(),
        usd,
        targetUsd,
        traded / usd,
        SPREAD,
        pool.balance(at).sideUsd() * TWO_PERCENT,
        pool.lastTrade(at),
        at,
        false,
        false);
  }

  private static String named(TokenFacts token, DexPairFormat format) {
    return format == DexPairFormat.SYMBOL ? token.symbol() : token.address();
  }
}

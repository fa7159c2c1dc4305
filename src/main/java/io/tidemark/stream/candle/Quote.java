package io.tidemark.stream.candle;

import io.tidemark.event.Left;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.Sight;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerPrice;
import io.tidemark.event.TickerPriceChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenPrice;
import io.tidemark.event.TokenPriceChange;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What a change says of the price that candles are drawn of: pools' base tokens, tokens, and coins on markets. */
record Quote(
    String resource,
    Origin origin,
    @Nullable Price before,
    @Nullable Price after,
    @Nullable Instant beforeObservedAt,
    @Nullable Sight sight,
    @Nullable Left left) {

  /** Of a change of a pool, a token or a ticker. */
  static Quote of(SpecificRecord change) {
    return switch (change) {
      case PoolChange pool -> of(pool);
      case TokenChange token -> of(token);
      case TickerChange ticker -> of(ticker);
      default -> throw new IllegalArgumentException("no candles of " + change.getSchema().getName());
    };
  }

  /** Whether the price moved: what was there when watching began, and frames, did not. */
  boolean moved() {
    return after != null && !origin.getBaseline() && !after.equals(before);
  }

  Instant observedAt() {
    return origin.getObservedAt();
  }

  private static Quote of(PoolChange change) {
    var price = change.getPrice() == null ? new PoolPriceChange() : change.getPrice();
    return new Quote(
        "pool",
        change.getOrigin(),
        price(price.getBefore()),
        price(price.getAfter()),
        price.getBeforeObservedAt(),
        change.getSight(),
        change.getLeft());
  }

  private static Quote of(TokenChange change) {
    var price = change.getPrice() == null ? new TokenPriceChange() : change.getPrice();
    return new Quote(
        "token",
        change.getOrigin(),
        price(price.getBefore()),
        price(price.getAfter()),
        price.getBeforeObservedAt(),
        change.getSight(),
        change.getLeft());
  }

  private static Quote of(TickerChange change) {
    var price = change.getPrice() == null ? new TickerPriceChange() : change.getPrice();
    return new Quote(
        "ticker",
        change.getOrigin(),
        price(price.getBefore()),
        price(price.getAfter()),
        price.getBeforeObservedAt(),
        change.getSight(),
        change.getLeft());
  }

  private static @Nullable Price price(@Nullable PoolPrice price) {
    return price == null ? null : Price.of(price.getBaseTokenPriceUsd());
  }

  private static @Nullable Price price(@Nullable TokenPrice price) {
    return price == null ? null : Price.of(price.getPriceUsd());
  }

  private static @Nullable Price price(@Nullable TickerPrice price) {
    return price == null ? null : Price.of(price.getLast());
  }
}

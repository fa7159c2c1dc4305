package io.tidemark.stream.candle;

import io.tidemark.event.Origin;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.Removed;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerPrice;
import io.tidemark.event.TickerPriceChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenPrice;
import io.tidemark.event.TokenPriceChange;
import io.tidemark.event.Visibility;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What a change says of the price that candles are drawn of: pools' base tokens, tokens, and coins on markets. */
record PriceUpdate(
    String resource,
    Origin origin,
    @Nullable CandlePrice before,
    @Nullable CandlePrice after,
    @Nullable Instant beforeObservedAt,
    @Nullable Visibility visibility,
    @Nullable Removed removed) {

  /** Of a change of a pool, a token or a ticker. */
  static PriceUpdate of(SpecificRecord change) {
    return switch (change) {
      case PoolChange pool -> of(pool);
      case TokenChange token -> of(token);
      case TickerChange ticker -> of(ticker);
      default -> throw new IllegalArgumentException("no candles of " + change.getSchema().getName());
    };
  }

  /** Whether the price moved: what was there when watching began, and frames, did not. */
  boolean isMove() {
    return after != null && !origin.getBaseline() && !after.equals(before);
  }

  Instant observedAt() {
    return origin.getObservedAt();
  }

  private static PriceUpdate of(PoolChange change) {
    var price = change.getPrice() == null ? new PoolPriceChange() : change.getPrice();
    return new PriceUpdate(
        "pool",
        change.getOrigin(),
        price(price.getBefore()),
        price(price.getAfter()),
        price.getBeforeObservedAt(),
        change.getVisibility(),
        change.getRemoved());
  }

  private static PriceUpdate of(TokenChange change) {
    var price = change.getPrice() == null ? new TokenPriceChange() : change.getPrice();
    return new PriceUpdate(
        "token",
        change.getOrigin(),
        price(price.getBefore()),
        price(price.getAfter()),
        price.getBeforeObservedAt(),
        change.getVisibility(),
        change.getRemoved());
  }

  private static PriceUpdate of(TickerChange change) {
    var price = change.getPrice() == null ? new TickerPriceChange() : change.getPrice();
    return new PriceUpdate(
        "ticker",
        change.getOrigin(),
        price(price.getBefore()),
        price(price.getAfter()),
        price.getBeforeObservedAt(),
        change.getVisibility(),
        change.getRemoved());
  }

  private static @Nullable CandlePrice price(@Nullable PoolPrice price) {
    return price == null ? null : CandlePrice.of(price.getBaseTokenPriceUsd());
  }

  private static @Nullable CandlePrice price(@Nullable TokenPrice price) {
    return price == null ? null : CandlePrice.of(price.getPriceUsd());
  }

  private static @Nullable CandlePrice price(@Nullable TickerPrice price) {
    return price == null ? null : CandlePrice.of(price.getLast());
  }
}

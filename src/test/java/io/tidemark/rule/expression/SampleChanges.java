package io.tidemark.rule.expression;

import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolLiquidityChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import java.time.Instant;

/** Changes for tests of conditions. */
final class SampleChanges {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private SampleChanges() {}

  /** The base token went from one price to another; the change also carries the unchanged reserve of 80000.5 USD, as a key frame does. */
  static PoolChange moved(String before, String after) {
    var change = new PoolChange();
    change.setId("solana_A");
    change.setNetwork("solana");
    change.setOrigin(new Origin());
    change.setAbout(new PoolAbout());
    change.getOrigin().setObservedAt(NOON);
    change.getOrigin().setPreviousObservedAt(NOON.minusSeconds(60));
    change.getAbout().setReserveUsd(80_000.5);
    change.setPrice(new PoolPriceChange(price(before), price(after), NOON.minusSeconds(60), 25.0));
    change.setLiquidity(new PoolLiquidityChange(reserve(), reserve(), NOON.minusSeconds(60)));
    return change;
  }

  private static PoolPrice price(String usd) {
    var price = new PoolPrice();
    price.setBaseTokenPriceUsd(usd);
    return price;
  }

  private static PoolLiquidity reserve() {
    return PoolLiquidity.newBuilder().setReserveInUsd("80000.5").build();
  }
}

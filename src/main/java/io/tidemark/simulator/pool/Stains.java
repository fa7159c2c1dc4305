package io.tidemark.simulator.pool;

import io.tidemark.event.Pool;
import io.tidemark.simulator.generator.StatelessRandom;
import java.util.List;
import java.util.Set;

/** Ways in which real answers were seen to be broken. */
final class Stains {
  private static final int LONG_PRICE = 70;
  private static final int LONG_VOLUME = 100;

  /** Breaks a pool; what it makes null is added to the nulls, what it only leaves out is not. */
  interface Stain {
    void on(Pool pool, Set<String> nulls, StatelessRandom random);
  }

  static final List<Stain> POOL = List.of(
      (pool, nulls, random) -> notANumber(pool),
      (pool, nulls, random) -> noRatio(pool, nulls),
      (pool, nulls, random) -> longPrice(pool, random),
      (pool, nulls, random) -> longVolume(pool, random),
      (pool, nulls, random) -> pool.getLiquidity().setReserveInUsd("0.0"),
      (pool, nulls, random) -> noValuation(pool, nulls),
      (pool, nulls, random) -> noCreation(pool, nulls),
      (pool, nulls, random) -> fewerWindows(pool));

  private Stains() {}

  private static void notANumber(Pool pool) {
    pool.getPrice().setBaseTokenPriceNativeCurrency("NaN");
    pool.getPrice().setQuoteTokenPriceNativeCurrency("NaN");
  }

  private static void noRatio(Pool pool, Set<String> nulls) {
    pool.getPrice().setBaseTokenPriceQuoteToken(null);
    pool.getPrice().setQuoteTokenPriceBaseToken(null);
    nulls.addAll(List.of("price.base_token_price_quote_token", "price.quote_token_price_base_token"));
  }

  private static void longPrice(Pool pool, StatelessRandom random) {
    pool.getPrice().setBaseTokenPriceUsd(padded(pool.getPrice().getBaseTokenPriceUsd(), LONG_PRICE, random));
  }

  private static void longVolume(Pool pool, StatelessRandom random) {
    var volume = pool.getActivity().getVolumeUsd();
    volume.setH24(padded(volume.getH24(), LONG_VOLUME, random));
  }

  private static void noValuation(Pool pool, Set<String> nulls) {
    pool.setValuation(null);
    nulls.addAll(List.of("valuation.fdv_usd", "valuation.market_cap_usd"));
  }

  private static void noCreation(Pool pool, Set<String> nulls) {
    pool.getDescription().setPoolCreatedAt(null);
    nulls.add("description.pool_created_at");
  }

  private static void fewerWindows(Pool pool) {
    pool.getActivity().getPriceChangePercentage().setM15(null);
    pool.getActivity().getTransactions().setM15(null);
    pool.getActivity().getVolumeUsd().setM15(null);
  }

  /** A decimal with more digits behind it, to so many characters. */
  private static String padded(String decimal, int length, StatelessRandom random) {
    var text = new StringBuilder(decimal);
    while (text.length() < length) {
      text.append(random.intBelow(10, text.length()));
    }
    return text.toString();
  }
}

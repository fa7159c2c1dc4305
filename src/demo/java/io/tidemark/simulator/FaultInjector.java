package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Failures, shifted pages and corrupt values like those of the real service, as a function of time.
 *
 * @param dirty whether there are faults besides the outage
 * @param outage incident in which every operation fails
 */
record FaultInjector(StatelessRandom random, boolean dirty, Incident outage) {

  /**
   * A change of an observed pool to corrupt values that the real service also sends. It adds the attributes that the
   * answer sends as null to {@code nulls}, but not the attributes that the answer leaves out.
   */
  private interface Corruption {
    void applyTo(Pool pool, Set<String> nulls, StatelessRandom random);
  }

  private static final int POOLS_PER_PAGE = 20;
  private static final long INTERVAL = Duration.ofSeconds(10).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();
  private static final double BLOCKED = 0.02;
  private static final double SERVER_ERRORS = 0.03;
  private static final double SHIFTED = 0.3;
  private static final double CORRUPTED = 0.08;
  private static final int LONG_PRICE = 70;
  private static final int LONG_VOLUME = 100;

  private static final List<Corruption> CORRUPTIONS = List.of(
      (pool, nulls, random) -> notANumber(pool),
      (pool, nulls, random) -> noRatio(pool, nulls),
      (pool, nulls, random) -> longPrice(pool, random),
      (pool, nulls, random) -> longVolume(pool, random),
      (pool, nulls, random) -> pool.getLiquidity().setReserveInUsd("0.0"),
      (pool, nulls, random) -> noValuation(pool, nulls),
      (pool, nulls, random) -> noCreationTime(pool, nulls),
      (pool, nulls, random) -> fewerWindows(pool));

  /**
   * Fails in the outage and, if {@code dirty}, in some intervals of ten seconds, which are different for each
   * operation.
   *
   * @throws Failure if a failure is due: {@link Failure.Blocked} or {@link Failure.ServerError}
   */
  void failIfDue(Operation operation, long at) {
    if (outage.isOngoing(at)) {
      throw new Failure.ServerError("Internal Server Error");
    }
    double drawn = dirty ? random.derive(operation.wire()).uniform(at / INTERVAL) : 1;
    if (drawn < BLOCKED) {
      throw new Failure.Blocked("Access denied");
    }
    if (drawn < BLOCKED + SERVER_ERRORS) {
      throw new Failure.ServerError("Internal Server Error");
    }
  }

  /**
   * Returns the page with the given number, counted from 1, of a list of pools. If {@code dirty}, a page after the
   * first may begin one row early or late, so that one pool is on two pages or on none.
   */
  <T> List<T> page(List<T> rows, int page, long at) {
    var interval = random.derive("pages").derive(at / INTERVAL);
    boolean shifted = dirty && page > 1 && interval.chance(SHIFTED, page);
    int shift = !shifted ? 0 : interval.chance(0.5, ~page) ? 1 : -1;
    return rows.stream().skip((page - 1L) * POOLS_PER_PAGE + shift).limit(POOLS_PER_PAGE).toList();
  }

  Observation<Pool> corrupted(Observation<Pool> observation, long at) {
    if (!dirty) {
      return observation;
    }
    var pool = observation.resource();
    var own = random.derive(pool.getId()).derive(at / MINUTE);
    var nulls = new HashSet<>(observation.nulls());
    for (int i = 0; i < CORRUPTIONS.size(); i++) {
      if (own.chance(CORRUPTED, i)) {
        CORRUPTIONS.get(i).applyTo(pool, nulls, own);
      }
    }
    return new Observation<>(pool, nulls);
  }

  Observation<Token> corruptedToken(Observation<Token> observation, long at) {
    var token = observation.resource();
    if (!dirty || !random.derive(token.getId()).chance(CORRUPTED, at / MINUTE)) {
      return observation;
    }
    var nulls = new HashSet<>(observation.nulls());
    token.getDescription().setDecimals(null);
    token.setMedia(null);
    nulls.addAll(List.of("description.decimals", "media.image_url"));
    return new Observation<>(token, nulls);
  }

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

  private static void noCreationTime(Pool pool, Set<String> nulls) {
    pool.getDescription().setPoolCreatedAt(null);
    nulls.add("description.pool_created_at");
  }

  private static void fewerWindows(Pool pool) {
    pool.getActivity().getPriceChangePercentage().setM15(null);
    pool.getActivity().getTransactions().setM15(null);
    pool.getActivity().getVolumeUsd().setM15(null);
  }

  /** Appends random digits to a decimal until the text has the given length. */
  private static String padded(String decimal, int length, StatelessRandom random) {
    var text = new StringBuilder(decimal);
    while (text.length() < length) {
      text.append(random.intBelow(10, text.length()));
    }
    return text.toString();
  }
}

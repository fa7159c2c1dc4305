package io.tidemark.simulator;

import io.tidemark.market.WireValue;
import java.time.Duration;

/**
 * The events in a simulated market. In all scenarios after {@link #QUIET}, the market is quiet except for one incident.
 */
public enum Scenario implements WireValue {
  /** A plausible market without faults. */
  CALM("calm"),
  /** Ten times as many token launches as in {@link #CALM}. */
  LAUNCH_DAY("launch-day"),
  /** Corrupt figures, hostile names, shifted pages and failures, as a real service sends them. */
  DIRTY_DATA("dirty-data"),

  /** Prices and volumes move, tiny pools are launched, and no shipped rule fires. */
  QUIET("quiet"),

  /** A pool of some size is created on Base. */
  NEW_POOL("new-pool"),
  /** A pool enters the trending lists at their top. */
  TRENDING("trending"),
  /** A pool climbs from the fifteenth place of the trending lists to the third. */
  CLIMBING("climbing"),
  /** The price of a pool rises by 40 %. */
  PUMP("pump"),
  /**
   * The volume of those trades in a pool that do not move its price is thirty times as large as usual, for half an
   * hour.
   */
  WASH_TRADING("wash-trading"),
  /** Nearly all liquidity of a pool is removed. */
  RUG_PULL("rug-pull"),
  /** A dozen people report a pool. */
  REPORTS("reports"),
  /** A launch on Solana fills its bonding curve. */
  GRADUATION("graduation"),
  /** One market's bitcoin ticker is stale. */
  STALE_TICKER("stale-ticker"),
  /** The price of bitcoin in one market is 5 % above all others. */
  DISPERSION("dispersion"),
  /** The price of dai falls by 1.5 % for half an hour. */
  DEPEG("depeg"),
  /** A contract's funding rate rises by 0.3 percentage points, from about 0.01 %. */
  FUNDING_SPIKE("funding-spike"),
  /** The price of a contract is about 3 % above its index. */
  BASIS_SPIKE("basis-spike"),
  /** The open interest of a contract rises by 40 %. */
  OPEN_INTEREST_JUMP("open-interest-jump", Duration.ofMinutes(75)),
  /** A company begins to hold a coin. */
  TREASURY_OPEN("treasury-open"),
  /** A company buys more of a coin that it holds. */
  TREASURY_BUY("treasury-buy"),
  /** A government sells a tenth of its holding of a coin. */
  TREASURY_SELL("treasury-sell"),
  /** A government sells its whole holding of a coin. */
  TREASURY_CLOSE("treasury-close"),
  /** An asset platform is added. */
  NEW_PLATFORM("new-platform"),
  /** The price of bitcoin alone rises by 10 % within half an hour. */
  DOMINANCE_SHIFT("dominance-shift", Duration.ofMinutes(75)),
  /** All operations fail for half an hour. */
  OUTAGE("outage");

  private static final int LAUNCH_DAY_RATE = 10;

  private final String wire;
  private final Duration delay;

  Scenario(String wire) {
    this(wire, Duration.ofMinutes(15));
  }

  Scenario(String wire, Duration delay) {
    this.wire = wire;
    this.delay = delay;
  }

  @Override
  public String wire() {
    return wire;
  }

  /**
   * Returns the time from the start of watching to the incident. By the end of this time, all rules have the history
   * that they need.
   */
  public Duration delay() {
    return delay;
  }

  /** Returns whether the scenario has an incident. The incident begins at {@link SimulatorSettings#incident}. */
  public boolean hasIncident() {
    return compareTo(QUIET) > 0;
  }

  /** Returns the factor by which the number of token launches is multiplied. */
  int launchRate() {
    return this == LAUNCH_DAY ? LAUNCH_DAY_RATE : 1;
  }

  /** Returns whether the market is as in {@link #QUIET}, except for the incident of the scenario. */
  boolean isQuiet() {
    return compareTo(QUIET) >= 0;
  }
}

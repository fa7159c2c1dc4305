package io.tidemark.simulator;

import io.tidemark.market.WireValue;
import java.time.Duration;

/** What kind of times the market lives in. From {@link #QUIET} on, nothing happens in it but what is named. */
public enum Scenario implements WireValue {
  /** A plausible market, well behaved. */
  CALM("calm"),
  /** Ten times as many launches. */
  LAUNCH_DAY("launch-day"),
  /** Everything strangers and a tired service can send: broken figures, hostile names, shifting pages, failures. */
  DIRTY_DATA("dirty-data"),

  /** Prices and volumes move, dust is launched, and nothing happens that anyone would want to be told of. */
  QUIET("quiet"),

  /** A pool of some size is made on Base. */
  NEW_POOL("new-pool"),
  /** A pool enters the trending lists at their top. */
  TRENDING("trending"),
  /** A pool climbs from the fifteenth place of the trending lists to the third. */
  CLIMBING("climbing"),
  /** The price of a pool rises by 40 %. */
  PUMP("pump"),
  /** Thirty times as much as usual goes to and fro in a pool. */
  WASH_TRADING("wash-trading"),
  /** Nearly all liquidity is taken out of a pool. */
  RUG_PULL("rug-pull"),
  /** A dozen people report a pool. */
  REPORTS("reports"),
  /** A launch on Solana fills its bonding curve. */
  GRADUATION("graduation"),
  /** One market's bitcoin stands still. */
  STALE_TICKER("stale-ticker"),
  /** One market asks 5 % more for bitcoin than all others. */
  DISPERSION("dispersion"),
  /** Dai loses 1.5 %. */
  DEPEG("depeg"),
  /** A contract's funding rate rises to 0.3 %. */
  FUNDING_SPIKE("funding-spike"),
  /** A contract is traded 3 % above its index. */
  BASIS_SPIKE("basis-spike"),
  /** 40 % more is open in a contract than before. */
  OPEN_INTEREST_JUMP("open-interest-jump", Duration.ofMinutes(75)),
  /** A company begins to hold a coin. */
  TREASURY_OPEN("treasury-open"),
  /** A company buys more of the coin it holds. */
  TREASURY_BUY("treasury-buy"),
  /** A government sells a tenth of a coin that it holds. */
  TREASURY_SELL("treasury-sell"),
  /** A government sells all of a coin that it holds. */
  TREASURY_CLOSE("treasury-close"),
  /** An asset platform is added. */
  NEW_PLATFORM("new-platform"),
  /** Bitcoin rises by 10 % within half an hour, and nothing else does. */
  DOMINANCE_SHIFT("dominance-shift", Duration.ofMinutes(75)),
  /** The service answers with errors only. */
  OUTAGE("outage");

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

  /** How long after watching began its incident is to begin, so that all rules have the history they ask for. */
  public Duration delay() {
    return delay;
  }

  /** Whether one thing happens in it at a time that the settings say. */
  public boolean hasIncident() {
    return compareTo(QUIET) > 0;
  }

  public boolean isQuiet() {
    return compareTo(QUIET) >= 0;
  }
}

package io.tidemark.simulator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The trades of a pool, in blocks. Block 0 creates the pool and has no trades. Nearly every later block has at least
 * one trade. The totals of each {@code CHUNK} blocks are cached; the cache never changes a result.
 */
final class TradeHistory {

  /** Number and volume of trades in a span of time. */
  record TradeTotals(long buys, long sells, double buyUsd, double sellUsd) {
    static final TradeTotals NONE = new TradeTotals(0, 0, 0, 0);

    TradeTotals plus(TradeTotals other) {
      return new TradeTotals(
          buys + other.buys, sells + other.sells, buyUsd + other.buyUsd, sellUsd + other.sellUsd);
    }

    long trades() {
      return buys + sells;
    }

    double usd() {
      return buyUsd + sellUsd;
    }
  }

  private static final long CHUNK = 256;
  private static final int CHUNKS = 128;

  private final StatelessRandom random;
  private final JitteredSchedule schedule;
  private final long lastBlock;
  private final PoolDynamics dynamics;
  private final double typicalUsd;
  private final Map<Long, TradeTotals> chunks = new ConcurrentHashMap<>();

  /** @param lastBlock number of the block after which nobody trades any more */
  TradeHistory(
      StatelessRandom random, JitteredSchedule schedule, long lastBlock, PoolDynamics dynamics, double typicalUsd) {
    this.random = random;
    this.schedule = schedule;
    this.lastBlock = lastBlock;
    this.dynamics = dynamics;
    this.typicalUsd = typicalUsd;
  }

  /**
   * Returns the number of the last block at or before a time: 0 before the creation of the pool, and
   * {@code lastBlock} for any time after that block.
   */
  long blockAt(long at) {
    return Math.clamp(schedule.numberAt(at), 0, lastBlock);
  }

  long created() {
    return schedule.origin();
  }

  /** Returns the time of a block. Block 0 has the time when the pool is created. */
  long timeOf(long block) {
    return block == 0 ? schedule.origin() : schedule.timeOf(block);
  }

  PoolBalance balanceAfter(long block) {
    long time = timeOf(block);
    return new PoolBalance(dynamics.price(block, time), dynamics.depth(block), dynamics.quote().usd(time));
  }

  /** Returns the totals of all trades after one block, up to and including another block. */
  TradeTotals between(long after, long upTo) {
    var sum = TradeTotals.NONE;
    for (long from = after; from < upTo;) {
      long to = Math.min(upTo, (Math.floorDiv(from, CHUNK) + 1) * CHUNK);
      sum = sum.plus(to - from == CHUNK ? chunk(from) : added(from, to));
      from = to;
    }
    return sum;
  }

  private TradeTotals chunk(long from) {
    if (chunks.size() > CHUNKS) {
      chunks.clear();
    }
    return chunks.computeIfAbsent(from, start -> added(start, start + CHUNK));
  }

  private TradeTotals added(long after, long upTo) {
    var sum = TradeTotals.NONE;
    double root = Math.sqrt(dynamics.price(after, timeOf(after)));
    for (long block = after + 1; block <= upTo; block++) {
      long time = schedule.timeOf(block);
      double next = Math.sqrt(dynamics.price(block, time));
      sum = sum.plus(traded(block, next - root, next, dynamics.quote().usd(time)));
      root = next;
    }
    return sum;
  }

  private TradeTotals traded(long block, double rise, double root, double quoteUsd) {
    double unit = dynamics.depth(block) * quoteUsd;
    double churn = dynamics.churn(block) * root * unit;
    double buys = Math.max(0, rise) * unit + churn;
    double sells = Math.max(0, -rise) * unit + churn;
    double size = typicalUsd * random.between(0.4, 1.6, block);
    return new TradeTotals((long) Math.ceil(buys / size), (long) Math.ceil(sells / size), buys, sells);
  }

  /**
   * The balances of a constant-product pool and their value. Both sides have the same value.
   *
   * @param price quote tokens for one base token
   * @param depth square root of the product of both balances
   * @param quoteUsd price of a quote token
   */
  record PoolBalance(double price, double depth, double quoteUsd) {
    double base() {
      return depth / Math.sqrt(price);
    }

    double quote() {
      return depth * Math.sqrt(price);
    }

    double baseUsd() {
      return price * quoteUsd;
    }

    double sideUsd() {
      return quote() * quoteUsd;
    }

    double reserveUsd() {
      return 2 * sideUsd();
    }
  }
}

package io.tidemark.simulator.pool;

import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.StatelessRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The trades of a pool: block 0 makes it, every later one holds at least one trade. Sums are kept, but never matter. */
final class TradeHistory {
  private static final long CHUNK = 256;
  private static final int CHUNKS = 128;

  private final StatelessRandom random;
  private final JitteredSchedule rhythm;
  private final long lastBlock;
  private final PoolDynamics course;
  private final double typicalUsd;
  private final Map<Long, TradeTotals> chunks = new ConcurrentHashMap<>();

  /**
   * @param lastBlock after which nobody trades any more
   * @param typicalUsd size of an ordinary trade
   */
  TradeHistory(StatelessRandom random, JitteredSchedule rhythm, long lastBlock, PoolDynamics course,
      double typicalUsd) {
    this.random = random;
    this.rhythm = rhythm;
    this.lastBlock = lastBlock;
    this.course = course;
    this.typicalUsd = typicalUsd;
  }

  /** Number of the block that a time finds as the last. */
  long blockAt(long at) {
    return Math.clamp(rhythm.numberAt(at), 0, lastBlock);
  }

  long created() {
    return rhythm.origin();
  }

  /** When a block was; the one that made the pool was at its creation. */
  long timeOf(long block) {
    return block == 0 ? rhythm.origin() : rhythm.timeOf(block);
  }

  PoolBalance balanceAfter(long block) {
    long time = timeOf(block);
    return new PoolBalance(course.price(block, time), course.depth(block), course.quoteUsd(time));
  }

  /** All trades after one block up to another. */
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
    double root = Math.sqrt(course.price(after, timeOf(after)));
    for (long block = after + 1; block <= upTo; block++) {
      long time = rhythm.timeOf(block);
      double next = Math.sqrt(course.price(block, time));
      sum = sum.plus(traded(block, next - root, next, course.quoteUsd(time)));
      root = next;
    }
    return sum;
  }

  private TradeTotals traded(long block, double rise, double root, double quoteUsd) {
    double unit = course.depth(block) * quoteUsd;
    double churn = course.churn(block) * root * unit;
    double buys = Math.max(0, rise) * unit + churn;
    double sells = Math.max(0, -rise) * unit + churn;
    double size = typicalUsd * random.between(0.4, 1.6, block);
    return new TradeTotals((long) Math.ceil(buys / size), (long) Math.ceil(sells / size), buys, sells);
  }
}

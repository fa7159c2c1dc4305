package io.tidemark.simulator;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The trades of a pool, in blocks. Block 0 creates the pool and has no trades. Nearly every later block has at least
 * one trade. The totals of each {@code CHUNK} blocks are cached, and so are the trades of single blocks in the chunks
 * used last; the caches never change a result.
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

  /**
   * The trades of single blocks of the pools of one market, in the chunks that were used last: those in which rolling
   * windows end. It takes about a 64th of the maximum heap at most.
   */
  static final class BlockCache {

    /** Approximate size of the trades of the blocks of one chunk, in bytes. */
    private static final long CHUNK_BYTES = CHUNK * 56;

    private record ChunkKey(TradeHistory history, long chunk) {}

    private final Cache<ChunkKey, @Nullable TradeTotals[]> chunks = Caffeine.newBuilder()
        .maximumSize(Runtime.getRuntime().maxMemory() / 64 / CHUNK_BYTES)
        .executor(Runnable::run)
        .build();

    /** Returns the trades of the blocks of a chunk, null where they are not computed yet. */
    private @Nullable TradeTotals[] chunk(TradeHistory history, long chunk) {
      return chunks.get(new ChunkKey(history, chunk), key -> new TradeTotals[(int) CHUNK]);
    }
  }

  private final StatelessRandom random;
  private final JitteredSchedule schedule;
  private final long lastBlock;
  private final PoolDynamics dynamics;
  private final double typicalUsd;
  private final BlockCache blockCache;
  private final Map<Long, TradeTotals> chunks = new ConcurrentHashMap<>();

  /** @param lastBlock number of the block after which nobody trades any more */
  TradeHistory(
      StatelessRandom random, JitteredSchedule schedule, long lastBlock, PoolDynamics dynamics, double typicalUsd,
      BlockCache blockCache) {
    this.random = random;
    this.schedule = schedule;
    this.lastBlock = lastBlock;
    this.dynamics = dynamics;
    this.typicalUsd = typicalUsd;
    this.blockCache = blockCache;
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

  /** Returns the totals of blocks of one chunk. */
  private TradeTotals added(long after, long upTo) {
    var blocks = blockCache.chunk(this, after / CHUNK);
    var sum = TradeTotals.NONE;
    for (long block = after + 1; block <= upTo; block++) {
      int place = (int) ((block - 1) % CHUNK);
      var traded = blocks[place];
      if (traded == null) {
        traded = traded(block);
        blocks[place] = traded; // two threads may both store the same result
      }
      sum = sum.plus(traded);
    }
    return sum;
  }

  private TradeTotals traded(long block) {
    long time = schedule.timeOf(block);
    double before = Math.sqrt(dynamics.price(block - 1, timeOf(block - 1)));
    double root = Math.sqrt(dynamics.price(block, time));
    double unit = dynamics.depth(block) * dynamics.quote().usd(time);
    double churn = dynamics.churn(block) * root * unit;
    double buys = Math.max(0, root - before) * unit + churn;
    double sells = Math.max(0, before - root) * unit + churn;
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

package io.tidemark.capture.change;

import static io.tidemark.capture.change.ManualSource.POOL;
import static io.tidemark.capture.change.ManualSource.START;
import static io.tidemark.capture.change.ManualSource.TRENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.PoolChange;
import io.tidemark.market.Answer.OnChainAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two targets show one pool, each from a cache of its own before the same market, over a grid of kinds of cache, periods,
 * phases and jitters. What is published is what the market was, in its order, and never staler than the better of the two
 * answers by more than the tolerance.
 */
class InformantLawTest {
  private static final long TOLERANCE_MS = 2_000;
  private static final long RUN_MS = Duration.ofMinutes(8).toMillis();
  private static final long NONE = Long.MIN_VALUE;

  /** How a cache gets its copies: at times of its own, or by the first request after a copy has expired. */
  private enum Kind {
    SCHEDULED,
    PULL_THROUGH
  }

  /**
   * A target, the cache before it, and when it is polled. In milliseconds.
   *
   * @param refresh how long a copy is served
   * @param phase of the polls
   * @param jitter by how much polls are late at most
   * @param rounded whether the time of an answer has whole seconds, like {@code Date} and {@code Age}
   */
  private record Polled(Kind kind, long refresh, long period, long phase, long jitter, boolean rounded) {
    /** Of the copies of a scheduled cache: against the polls it differs from phase to phase. */
    long cachePhase() {
      return phase * 7 % refresh;
    }
  }

  /** One point of the grid. */
  private record Point(Polled first, Polled second, boolean recurring) {}

  static Stream<Integer> phases() {
    return IntStream.range(0, 60).boxed();
  }

  /** For each phase between both caches, in seconds: all kinds, periods, jitters and markets. */
  @ParameterizedTest
  @MethodSource("phases")
  void twoTargets_publishInMarketOrder_noStalerThanTheFresherOne(int phase) {
    var periods = List.of(new long[] {10, 10}, new long[] {30, 30}, new long[] {10, 60}, new long[] {60, 10},
        new long[] {30, 60}, new long[] {7, 11}, new long[] {60, 60});
    for (long[] each : periods) {
      if (phase >= Math.max(each[0], each[1])) {
        continue;
      }
      for (Kind kind : Kind.values()) {
        for (Kind other : Kind.values()) {
          for (long jitter : new long[] {0, 3_700}) {
            for (boolean recurring : new boolean[] {false, true}) {
              Polled first = new Polled(kind, each[0] * 1000, each[0] * 1000, 0, jitter, jitter > 0);
              Polled second =
                  new Polled(other, each[1] * 1000, each[1] * 1000, phase * 1000L % (each[1] * 1000), jitter,
                      jitter > 0);
              new Run(new Point(first, second, recurring), phase).check();
            }
          }
        }
      }
    }
  }

  /** The market and both targets over virtual minutes. */
  private static final class Run {
    private final Point point;
    private final Random random;
    private final ManualSource source = new ManualSource(PublishSettings.EVERYTHING);

    /** When the price changed, and what it changed to. */
    private final List<Long> changedAt = new ArrayList<>();

    private final List<String> prices = new ArrayList<>();
    private final long[] copyAt = {NONE, NONE};
    private final List<Set<String>> shown = List.of(new HashSet<>(), new HashSet<>());
    private long bestAsOf = NONE;
    private int published;
    /** The first change of the market that the last published price can be. */
    private int matched;

    Run(Point point, long seed) {
      this.point = point;
      this.random = new Random(seed * 31 + point.hashCode() % 1000);
      long at = -120_000;
      String last = "";
      while (at < RUN_MS) {
        String price = point.recurring() ? "1." + random.nextInt(3) : "1." + changedAt.size();
        if (!price.equals(last)) {
          changedAt.add(at);
          prices.add(price);
        }
        last = price;
        at += 500 + random.nextInt(15_000);
      }
    }

    void check() {
      long[] next = {point.first().phase(), point.second().phase()};
      while (Math.min(next[0], next[1]) < RUN_MS) {
        int target = next[0] <= next[1] ? 0 : 1;
        Polled polled = target == 0 ? point.first() : point.second();
        long now = next[target] + (polled.jitter() == 0 ? 0 : random.nextLong(polled.jitter()));
        poll(target, polled, Math.max(now, Duration.between(START, source.now).toMillis()));
        next[target] += polled.period();
      }
      assertThat(published).as("changes, %s", point).isGreaterThan(1);
    }

    private void poll(int target, Polled polled, long now) {
      long copy = copy(target, polled, now);
      String price = prices.get(marketAt(copy));
      source.now = START.plusMillis(now);
      var asOf = START.plusMillis(asOf(polled, copy, now));
      if (target == 0) {
        source.poll(POOL, new OnChainAnswer<>(ManualSource.priced(price), null), asOf);
      } else {
        source.poll(TRENDING, new OnChainAnswer<>(List.of(ManualSource.priced(price)), null), asOf);
      }
      bestAsOf = Math.max(bestAsOf, Duration.between(START, asOf).toMillis());
      shown.get(target).add(price);
      checkOrder(now);
      if (!point.recurring() && shown.stream().allMatch(each -> each.size() > 1)) {
        checkStaleness(now, polled.rounded());
      }
    }

    private long copy(int target, Polled polled, long now) {
      copyAt[target] = switch (polled.kind()) {
        case SCHEDULED -> Math.floorDiv(now - polled.cachePhase(), polled.refresh()) * polled.refresh()
            + polled.cachePhase();
        case PULL_THROUGH -> copyAt[target] == NONE || now - copyAt[target] >= polled.refresh() ? now : copyAt[target];
      };
      return copyAt[target];
    }

    /** As the headers give it: both are rounded down. */
    private static long asOf(Polled polled, long copy, long now) {
      return polled.rounded() ? now / 1000 * 1000 - (now - copy) / 1000 * 1000 : copy;
    }

    private int marketAt(long time) {
      int index = 0;
      while (index + 1 < changedAt.size() && changedAt.get(index + 1) <= time) {
        index++;
      }
      return index;
    }

    /** Each price that is published is one that the market had, not before the one published before it. */
    private void checkOrder(long now) {
      for (; published < source.known.changes.size(); published++) {
        if (!(source.known.changes.get(published) instanceof PoolChange change) || change.getPrice() == null) {
          continue;
        }
        String price = change.getPrice().getAfter().getBaseTokenPriceUsd();
        while (matched < prices.size() && !prices.get(matched).equals(price)) {
          matched++;
        }
        assertThat(matched).as("the market had %s after what was published before, %d ms, %s", price, now, point)
            .isLessThanOrEqualTo(marketAt(now));
      }
    }

    /** The published price is not older than that of the newest answer, less the tolerance and the error of its time. */
    private void checkStaleness(long now, boolean rounded) {
      assertThat(matched).as("index of the price at %d ms, %s", now, point)
          .isGreaterThanOrEqualTo(marketAt(bestAsOf - TOLERANCE_MS - (rounded ? 1_000 : 0)));
    }
  }
}

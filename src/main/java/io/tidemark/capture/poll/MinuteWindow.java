package io.tidemark.capture.poll;

import io.tidemark.capture.poll.MonthlyBudget.CommittedKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The calls answered in the last minute. */
final class MinuteWindow {

  /** A minute and a second of margin. */
  static final long LENGTH_NANOS = Duration.ofSeconds(61).toNanos();

  /**
   * Maximum difference between the clocks of two instances that is assumed when the calls of the last minute are
   * restored.
   */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofSeconds(3);

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final ArrayDeque<Long> counted = new ArrayDeque<>();
  private long answeredInAll;

  /** Calls that the previous owner reserved but did not record as spent count as made now. */
  void restore(CommittedKey before, Instant now, long nanos) {
    var at = before.countedAt();
    var since = at == null ? Duration.ZERO : Duration.between(at.plus(CLOCK_DIFFERENCE), now);
    var youngest = nanos - Math.max(0, since.toNanos());
    for (int second = before.usage().getMinute().size() - 1; second >= 0; second--) {
      add(before.usage().getMinute().get(second), youngest - second * SECOND);
    }
    add(before.usage().getReserved() - before.usage().getSpent(), nanos);
    expire(nanos);
  }

  /** Returns the number of calls answered in each second of the last minute, the latest second first. */
  List<Integer> seconds(long now) {
    expire(now);
    var seconds = new ArrayList<Integer>();
    for (var calls = counted.descendingIterator(); calls.hasNext();) {
      var second = (int) ((now - calls.next()) / SECOND);
      while (seconds.size() <= second) {
        seconds.add(0);
      }
      seconds.set(second, seconds.get(second) + 1);
    }
    return seconds;
  }

  /**
   * Returns the nanoseconds until the given number of further calls fits the limit, or {@code Long.MAX_VALUE} if the
   * calls do not fit even after all answered calls have left the window.
   */
  long waitNanos(int calls, int limit, long now) {
    expire(now);
    var tooMany = counted.size() + calls - limit;
    if (tooMany <= 0) {
      return 0;
    }
    if (tooMany > counted.size()) {
      return Long.MAX_VALUE;
    }
    var leaving = counted.stream().skip(tooMany - 1L).findFirst().orElseThrow();
    return leaving + LENGTH_NANOS - now;
  }

  int sent(long now) {
    expire(now);
    return counted.size();
  }

  long answeredInAll() {
    return answeredInAll;
  }

  /** Records that a call was answered. The service counted this call before now. */
  void answered(long now) {
    answeredInAll++;
    counted.addLast(now);
  }

  private void add(long calls, long at) {
    for (long i = 0; i < calls; i++) {
      counted.addLast(at);
    }
  }

  private void expire(long now) {
    while (!counted.isEmpty() && now - counted.peekFirst() >= LENGTH_NANOS) {
      counted.removeFirst();
    }
  }
}

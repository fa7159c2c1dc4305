package io.tidemark.poll;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** The next time of each item, by number. Adding, moving and firing take constant time. */
final class TimingWheel {

  private static final double SLOT_SECONDS = 0.125;
  /** One turn is 512 s. An item that is further away passes its slot until its time has come. */
  private static final int SLOTS = 4096;
  private static final int NONE = -1;

  private final int[] firsts = new int[SLOTS];
  private int[] next = new int[0];
  private int[] previous = new int[0];
  private double[] times = new double[0];
  /** Number of the slot that was fired last, not wrapped. */
  private long fired;

  TimingWheel(double start) {
    Arrays.fill(firsts, NONE);
    fired = slot(start);
  }

  /** Time of an item that was put. */
  double time(int item) {
    return times[item];
  }

  /** Sets the item's only time; one that has passed fires next. */
  void put(int item, double time) {
    makeRoom(item);
    unlink(item);
    times[item] = time;
    var first = index(Math.max(fired, slot(time)));
    next[item] = firsts[first];
    previous[item] = -2 - first;
    if (firsts[first] != NONE) {
      previous[firsts[first]] = item;
    }
    firsts[first] = item;
  }

  /** Takes the item off the wheel. */
  void remove(int item) {
    if (item < next.length) {
      unlink(item);
    }
  }

  /** Removes each item whose time has come, then gives it to the receiver, which may put it again. */
  void advance(double now, IntConsumer due) {
    var last = slot(now);
    var from = Math.max(fired, last - SLOTS + 1);
    for (long slot = from; slot <= last; slot++) {
      fired = slot;
      for (int item = firsts[index(slot)]; item != NONE;) {
        var following = next[item];
        if (times[item] <= now) {
          unlink(item);
          due.accept(item);
        }
        item = following;
      }
    }
  }

  /** The earliest time of any item, where it is before the given one; else that. */
  double earliest(double most) {
    var earliest = most;
    var end = Math.min(slot(most), fired + SLOTS - 1);
    for (long slot = fired; slot <= end; slot++) {
      for (int item = firsts[index(slot)]; item != NONE; item = next[item]) {
        earliest = Math.min(earliest, times[item]);
      }
      if (earliest < most && slot(earliest) <= slot) {
        return earliest;
      }
    }
    return earliest;
  }

  private void unlink(int item) {
    if (previous[item] == NONE) {
      return;
    }
    if (previous[item] < NONE) {
      firsts[-2 - previous[item]] = next[item];
    } else {
      next[previous[item]] = next[item];
    }
    if (next[item] != NONE) {
      previous[next[item]] = previous[item];
    }
    previous[item] = NONE;
  }

  private void makeRoom(int item) {
    if (item >= next.length) {
      var before = next.length;
      next = Arrays.copyOf(next, Math.max(16, 2 * (item + 1)));
      previous = Arrays.copyOf(previous, next.length);
      times = Arrays.copyOf(times, next.length);
      Arrays.fill(previous, before, previous.length, NONE);
    }
  }

  private static long slot(double time) {
    return (long) Math.floor(time / SLOT_SECONDS);
  }

  private static int index(long slot) {
    return (int) Math.floorMod(slot, (long) SLOTS);
  }
}

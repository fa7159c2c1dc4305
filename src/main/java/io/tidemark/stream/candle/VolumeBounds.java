package io.tidemark.stream.candle;

import io.tidemark.event.StoredCandle;
import io.tidemark.event.VolumeWindows;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lower and upper bounds of the volume traded between two observations. Each observation contains the service's rolling
 * windows of volume.
 *
 * <p>A window of length l in an observation at t is the volume traded between t - l and t. Each window gives bounds of
 * the volume traded between two observations. The later value of a window is its value in the later observation. If the
 * window reaches back to the earlier observation, the volume is at most the later value of the window. If it does not
 * reach back that far, the volume is at least its later value. In either case, the volume is at least the growth of the
 * window. If the window reaches back further than the earlier observation, part of its later value was traded before
 * that observation. The volume is then at least the later value minus an upper bound of this part, taken from the
 * windows of the earlier observation.
 */
final class VolumeBounds {

  private VolumeBounds() {}

  /** The rolling windows of volume, shortest first. */
  private enum Window {
    M5(Duration.ofMinutes(5), VolumeWindows::getM5),
    M15(Duration.ofMinutes(15), VolumeWindows::getM15),
    M30(Duration.ofMinutes(30), VolumeWindows::getM30),
    H1(Duration.ofHours(1), VolumeWindows::getH1),
    H6(Duration.ofHours(6), VolumeWindows::getH6),
    H24(Duration.ofHours(24), VolumeWindows::getH24);

    private static final List<Window> ALL = List.of(values());

    /** Length in milliseconds, like all time spans in this class. */
    private final long length;
    private final Function<VolumeWindows, @Nullable Double> volume;

    Window(Duration length, Function<VolumeWindows, @Nullable Double> volume) {
      this.length = length.toMillis();
      this.volume = volume;
    }

    private boolean reachesBack(long span) {
      return length >= span;
    }

    private @Nullable Double in(VolumeWindows observation) {
      return volume.apply(observation);
    }
  }

  /**
   * Adds an observation to the bounds of a candle. Does nothing if no volume was known when the candle's window opened.
   *
   * @param before the previous observation in this candle, or the observation from which the candle's volume is counted
   */
  static void add(StoredCandle open, VolumeWindows before, VolumeWindows now) {
    var since = open.getVolumeSince();
    if (since == null) {
      return;
    }
    var most = open.getMostVolume();
    var sinceBefore = mostSince(now, span(before, now));
    var span = span(since, now);
    open.setMostVolume(smaller(most == null || sinceBefore == null ? null : most + sinceBefore, mostSince(now, span)));
    open.setLeastVolume(
        Math.max(open.getLeastVolume() + growth(before, now), Math.max(growth(since, now), shown(since, now, span))));
    open.getCandle().setVolumeSince(since.getAt());
    open.getCandle().setVolumeUntil(now.getAt());
  }

  /**
   * Writes the estimated volume and its error into the candle. Leaves both as they are if no observation was added,
   * there is no upper bound, the bounds contradict each other, or the lower bound is zero and the upper bound is not.
   */
  static void estimate(StoredCandle open) {
    var most = open.getMostVolume();
    var least = open.getLeastVolume();
    if (open.getCandle().getVolumeUntil() != null && most != null && least <= most && (least > 0 || most == 0)) {
      open.getCandle().setVolumeUsdEstimate((least + most) / 2);
      open.getCandle().setVolumeUsdError((most - least) / 2);
    }
  }

  private static long span(VolumeWindows from, VolumeWindows to) {
    return to.getAt().toEpochMilli() - from.getAt().toEpochMilli();
  }

  /**
   * Returns the maximum volume traded in a time span that ends with an observation, or null if no known window
   * reaches back over the whole span.
   */
  private static @Nullable Double mostSince(VolumeWindows now, long span) {
    Double most = null;
    for (var window : Window.ALL) {
      var shown = window.reachesBack(span) ? window.in(now) : null;
      if (shown != null) {
        most = most == null ? shown : Double.valueOf(Math.min(most, shown));
      }
    }
    return most;
  }

  /** Returns the minimum volume traded between two observations, according to the growth of the windows. */
  private static double growth(VolumeWindows before, VolumeWindows now) {
    var least = 0.0;
    for (var window : Window.ALL) {
      least = Math.max(least, difference(window.in(now), window.in(before)));
    }
    return least;
  }

  /** Returns the minimum volume traded between two observations, according to the windows of the later observation. */
  private static double shown(VolumeWindows since, VolumeWindows now, long span) {
    var least = 0.0;
    for (var window : Window.ALL) {
      Double before = window.reachesBack(span) ? mostSince(since, window.length - span) : Double.valueOf(0);
      least = Math.max(least, difference(window.in(now), before));
    }
    return least;
  }

  private static double difference(@Nullable Double more, @Nullable Double less) {
    return more == null || less == null ? 0 : more - less;
  }

  private static @Nullable Double smaller(@Nullable Double one, @Nullable Double other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }
}

package io.tidemark.stream.candle;

import io.tidemark.event.Candle;
import io.tidemark.event.StoredCandle;
import io.tidemark.event.VolumeWindows;
import io.tidemark.stream.candle.PriceUpdate.CandlePrice;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.topic.CandleInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The candles whose windows are open, by the end of the window, and the time until which windows are closed.
 *
 * <p>A change counts in the window in which it was observed. One that is committed {@link #LATENESS} after the end of that
 * window or later counts in the window in which it is committed: so a window can be closed when all that was committed
 * until then is read, whatever comes later. A change that is read after its window is closed all the same is counted in
 * the metric {@code late-changes-total} and dropped: a candle is published once.
 *
 * <p>The longest gap of a candle is the longest stretch between the edges of its window and the observations known in
 * it. A change knows two: that of the new price, and the last one of the price before. Observations between two changes
 * are not in the event log, so the gap is an upper bound, and the number of observations a lower one.
 */
final class CandleWindows {

  /**
   * How long after the end of a window changes are committed that count in it. A window is closed by the second tick after
   * that, and ticks come 800 ms after each full second: 1.8 seconds after its end.
   */
  static final Duration LATENESS = Duration.ofMillis(700);

  private static final String CLOSED_UNTIL = "until";

  private final DueQueue<StoredCandle> open;
  private final KeyValueStore<String, Long> closed;
  private final Sensor late;

  CandleWindows(ProcessorContext<?, ?> context) {
    open = new DueQueue<>(context.getStateStore(CandleTopology.OPEN));
    closed = context.getStateStore(CandleTopology.CLOSED);
    late = context.metrics().addRateTotalSensor(
        "candles", context.taskId().toString(), "late-changes", Sensor.RecordingLevel.INFO);
  }

  /** A new price of a resource, and the one before it, with which a window that it opens starts. */
  record PriceMove(CandlePrice price, CandlePrice before) {}

  /**
   * Adds a price, the visibility and an observation of the volume to the candle of each interval. A price opens windows,
   * the others do not.
   *
   * @param move null where the price did not move
   * @param volume known before the update
   * @param isVolumeNew whether the update has a later observation of the volume
   */
  void add(PriceUpdate update, @Nullable PriceMove move, @Nullable VolumeWindows volume, boolean isVolumeNew) {
    var now = isVolumeNew && volume != null ? update.volume() : null;
    if (move == null && update.visibility() == null && now == null) {
      return;
    }
    var closedUntil = closedUntil();
    for (var interval : CandleInterval.values()) {
      var counted = countedAt(interval, update);
      var end = interval.endOf(counted);
      if (end.toEpochMilli() > closedUntil) {
        var name = name(interval, update.resource(), update.id());
        var known = open.get(end, name);
        var candle = known == null && move != null ? open(interval, counted, update, move.before(), volume) : known;
        if (candle != null) {
          add(candle, update, move);
          if (now != null && volume != null) {
            VolumeBounds.add(candle, volume, now);
          }
          open.put(end, name, candle);
        }
      } else if (move != null) {
        late.record();
      }
    }
  }

  /** The open candles of a resource at a time, shortest interval first. */
  List<Candle> openAt(Instant time, String resource, String id) {
    return Stream.of(CandleInterval.values())
        .map(interval -> open.get(interval.endOf(time), name(interval, resource, id)))
        .filter(Objects::nonNull)
        .map(candle -> {
          VolumeBounds.estimate(candle);
          return candle.getCandle();
        })
        .toList();
  }

  /** Closes the windows whose changes are all committed by a time, and gives the end of the last ones. */
  Instant closeUntil(Instant time) {
    var until = CandleInterval.MINUTE.startOf(time.minus(LATENESS));
    if (until.toEpochMilli() > closedUntil()) {
      closed.put(CLOSED_UNTIL, until.toEpochMilli());
    }
    return until;
  }

  /** Removes candles of windows that ended by a time and are closed, earliest first. */
  List<Candle> removeClosed(Instant until, int most) {
    return open.removeDue(until, most).stream().map(CandleWindows::close).toList();
  }

  private static void add(StoredCandle candle, PriceUpdate update, @Nullable PriceMove move) {
    if (move != null) {
      add(candle, move.price(), update.observedAt(), update.beforeObservedAt());
    }
    if (update.visibility() != null) {
      candle.getCandle().setVisible(update.visibility().getVisible());
    }
  }

  /** The time that says in which window of an interval a change counts. */
  private static Instant countedAt(CandleInterval interval, PriceUpdate update) {
    var closes = interval.endOf(update.observedAt()).plus(LATENESS);
    return update.committedAt().isBefore(closes) ? update.observedAt() : update.committedAt();
  }

  private long closedUntil() {
    var until = closed.get(CLOSED_UNTIL);
    return until == null ? Long.MIN_VALUE : until;
  }

  private static String name(CandleInterval interval, String resource, String id) {
    return String.join("/", interval.label(), resource, id);
  }

  private static StoredCandle open(CandleInterval interval, Instant time, PriceUpdate update, CandlePrice price,
      @Nullable VolumeWindows volume) {
    var candle = Candle.newBuilder().build();
    candle.setResource(update.resource());
    candle.setId(update.id());
    candle.setInterval(interval.label());
    candle.setStart(interval.startOf(time));
    candle.setEnd(interval.endOf(time));
    candle.setVisible(true);
    candle.setLongestGap(0.0);
    candle.setOpen(price.number());
    candle.setOpenText(price.text());
    setHigh(candle, price);
    setLow(candle, price);
    setClose(candle, price);
    return StoredCandle.newBuilder()
        .setCandle(candle)
        .setCloseObservedAt(Instant.EPOCH)
        .setObservedAt(candle.getStart())
        .setVolumeSince(volume)
        .build();
  }

  /** Adds a price to one candle; {@code beforeObservedAt} is null where the price before was never observed. */
  private static void add(StoredCandle open, CandlePrice price, Instant observedAt,
      @Nullable Instant beforeObservedAt) {
    var candle = open.getCandle();
    candle.setChanges(candle.getChanges() + 1);
    if (price.number() > candle.getHigh()) {
      setHigh(candle, price);
    }
    if (price.number() < candle.getLow()) {
      setLow(candle, price);
    }
    if (!observedAt.isBefore(open.getCloseObservedAt())) {
      setClose(candle, price);
      open.setCloseObservedAt(observedAt);
    }
    observe(open, beforeObservedAt);
    observe(open, observedAt);
  }

  private static Candle close(StoredCandle open) {
    extendGap(open, open.getCandle().getEnd());
    VolumeBounds.estimate(open);
    return open.getCandle();
  }

  /** Counts an observation in the window that is later than those counted. */
  private static void observe(StoredCandle open, @Nullable Instant at) {
    var candle = open.getCandle();
    var isFirst = candle.getObservations() == 0 && open.getObservedAt().equals(at);
    if (at != null && at.isBefore(candle.getEnd()) && (isFirst || at.isAfter(open.getObservedAt()))) {
      candle.setObservations(candle.getObservations() + 1);
      extendGap(open, at);
    }
  }

  private static void extendGap(StoredCandle open, Instant at) {
    var gap = Duration.between(open.getObservedAt(), at).toMillis() / 1000.0;
    open.getCandle().setLongestGap(Math.max(open.getCandle().getLongestGap(), gap));
    open.setObservedAt(at);
  }

  private static void setHigh(Candle candle, CandlePrice price) {
    candle.setHigh(price.number());
    candle.setHighText(price.text());
  }

  private static void setLow(Candle candle, CandlePrice price) {
    candle.setLow(price.number());
    candle.setLowText(price.text());
  }

  private static void setClose(Candle candle, CandlePrice price) {
    candle.setClose(price.number());
    candle.setCloseText(price.text());
  }
}

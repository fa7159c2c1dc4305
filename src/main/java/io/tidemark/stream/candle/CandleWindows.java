package io.tidemark.stream.candle;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.Candle;
import io.tidemark.event.StoredCandle;
import io.tidemark.event.StoredCandles;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.candle.PriceUpdate.CandlePrice;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.DueQueue.DueEntry;
import io.tidemark.stream.tick.ResourceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The candles whose windows are open, by resource, and the time until which windows are closed.
 *
 * <p>One section of a resource's record holds the open candles and the newest price of the resource. A queue holds
 * the resources by the ends of their windows, and gets an entry when a window opens. A published candle stays in the
 * record until the next change of the resource, or until the last window of the resource is closed.
 *
 * <p>A change counts in the window in which it was observed, if it is committed earlier than {@link #LATENESS} after
 * the end of that window. Otherwise it counts in the window in which it is committed. So a window can be closed once
 * all changes that were committed until {@link #LATENESS} after its end are read. A change that is nevertheless read
 * after its window is closed does not count in the candle, because a candle is published only once. If it moves the
 * price, the metric {@code late-changes-total} counts it, once for each such candle.
 *
 * <p>The longest gap of a candle is the longest time in its window without a known observation. A change contributes
 * two observations: the observation of the new price, and the last observation of the previous price. Other
 * observations between two changes are not in the event log. So the longest gap is an upper bound, and the number of
 * observations is a lower bound.
 */
final class CandleWindows {

  /**
   * Time after the end of a window by which a change must be committed to count in the window in which it was
   * observed. The second tick after this time closes the window. Ticks come 800 ms after each full second, so a
   * window is closed 1.8 seconds after its end.
   */
  static final Duration LATENESS = Duration.ofMillis(700);

  private static final String CLOSED_UNTIL = "until";

  private static final Candle BLANK = Candle.newBuilder().setResource("").build();

  private final ResourceStore resources;
  private final AvroSerde<StoredCandles> serde;
  private final DueQueue<String> ends;
  private final KeyValueStore<String, Long> closed;
  private final Sensor late;
  private long closedUntil;

  /**
   * Time up to which the candles of all ended windows are known to be published. After a start, {@link Instant#MIN},
   * because this time is not stored.
   */
  private Instant publishedUntil = Instant.MIN;

  CandleWindows(SchemaRegistry registry, ResourceStore store, ProcessingContext context) {
    resources = store;
    serde = new AvroSerde<>(StoredCandles.class, registry);
    ends = new DueQueue<>(context.getStateStore(Candles.ENDS));
    closed = context.getStateStore(Candles.CLOSED);
    var until = closed.get(CLOSED_UNTIL);
    closedUntil = until == null ? Long.MIN_VALUE : until;
    late = context.metrics().addRateTotalSensor(
        "candles", context.taskId().toString(), "late-changes", Sensor.RecordingLevel.INFO);
  }

  /** Returns the stored price and candles of a resource, or null if neither is stored. */
  @Nullable
  StoredCandles find(String key) {
    var bytes = resources.get(id(key), section(key));
    return bytes == null ? null : serde.decode(ResourceStore.NAME, bytes);
  }

  private static String id(String key) {
    return key.substring(key.indexOf('/') + 1);
  }

  private static String section(String key) {
    return key.substring(0, key.indexOf('/')) + ".candles";
  }

  /** Stores the price and candles of a resource, or deletes their section if there is neither a price nor a candle. */
  void save(String key, StoredCandles known) {
    var isEmpty = known.getPrice() == null && known.getCandles().isEmpty();
    resources.put(id(key), section(key), isEmpty ? null : serde.encode(ResourceStore.NAME, known));
  }

  /** If the new price opens a window, the opening price of the candle is the price before. */
  record PriceMove(CandlePrice price, CandlePrice before) {}

  /**
   * Adds the price, the visibility and the volume in an update to the candle of each interval. Only a price that moved
   * opens windows.
   *
   * @param known the candles of the resource before the update, which are modified
   * @param move the new price and the price before it; null if the price did not move
   * @param isVolumeNew whether the update has a later observation of the volume than {@code known}
   * @return whether the candles changed
   */
  boolean add(StoredCandles known, PriceUpdate update, @Nullable PriceMove move, boolean isVolumeNew) {
    var volume = known.getPrice() == null ? null : known.getPrice().getVolume();
    var now = isVolumeNew && volume != null ? update.volume() : null;
    if (move == null && update.visibility() == null && now == null) {
      return false;
    }
    known.setCandles(
        known.getCandles().stream()
            .filter(each -> each.getCandle().getEnd().isAfter(publishedUntil))
            .collect(Collectors.toCollection(ArrayList::new)));
    var isChanged = false;
    for (var interval : CandleInterval.values()) {
      var counted = countedAt(interval, update);
      var end = interval.endOf(counted);
      if (end.toEpochMilli() > closedUntil) {
        var found = find(known, interval, end);
        var candle = found == null && move != null ? open(known, interval, counted, update, move.before()) : found;
        if (candle != null) {
          add(candle, update, move);
          if (now != null && volume != null) {
            VolumeBounds.add(candle, volume, now);
          }
          isChanged = true;
        }
      } else if (move != null) {
        late.record();
      }
    }
    return isChanged;
  }

  /** Returns the open candles of a resource whose windows contain a time, shortest interval first. */
  static List<Candle> openAt(Instant time, StoredCandles known, String resource, String id) {
    return Stream.of(CandleInterval.values())
        .map(interval -> find(known, interval, interval.endOf(time)))
        .filter(Objects::nonNull)
        .map(candle -> estimated(candle, resource, id))
        .toList();
  }

  /**
   * Closes the windows that ended {@link #LATENESS} or more before a time, so that changes no longer count in them.
   * Does not remove their candles. Returns the full minute until which windows are closed.
   */
  Instant closeUntil(Instant time) {
    var until = CandleInterval.MINUTE.startOf(time.minus(LATENESS));
    if (until.toEpochMilli() > closedUntil) {
      closedUntil = until.toEpochMilli();
      closed.put(CLOSED_UNTIL, closedUntil);
    }
    return until;
  }

  /** @param isOfRemovedResource whether the resource of the candle is removed */
  record ClosedCandle(Candle candle, boolean isOfRemovedResource) {}

  /**
   * Removes from the queue and returns the next candles of closed windows that ended by a time, earliest first. Returns
   * fewer than {@code most} if no other candle is left. May return a few more, because candles of one resource whose
   * windows end together are returned together.
   */
  List<ClosedCandle> removeClosed(Instant until, int most) {
    var candles = new ArrayList<ClosedCandle>();
    while (candles.size() < most) {
      var due = ends.removeDue(until, Math.ceilDiv(most - candles.size(), CandleInterval.values().length));
      if (due.isEmpty()) {
        publishedUntil = until;
        break;
      }
      due.forEach(end -> candles.addAll(close(end)));
    }
    return candles;
  }

  private List<ClosedCandle> close(DueEntry<String> end) {
    var known = find(end.name());
    if (known == null) {
      return List.of();
    }
    var slash = end.name().indexOf('/');
    var candles = known.getCandles().stream()
        .filter(open -> open.getCandle().getEnd().equals(end.at()))
        .sorted(Comparator.comparing(open -> open.getCandle().getInterval()))
        .map(open -> {
          extendGap(open, end.at());
          var candle = estimated(open, end.name().substring(0, slash), end.name().substring(slash + 1));
          return new ClosedCandle(candle, known.getPrice() == null); // only a removal deletes the price
        })
        .toList();
    if (known.getCandles().stream().noneMatch(open -> open.getCandle().getEnd().isAfter(end.at()))) {
      known.setCandles(new ArrayList<>());
      save(end.name(), known);
    }
    return candles;
  }

  /** Returns a candle as it is published, with its resource and the estimate of its volume. */
  private static Candle estimated(StoredCandle open, String resource, String id) {
    VolumeBounds.estimate(open);
    open.getCandle().setResource(resource);
    open.getCandle().setId(id);
    return open.getCandle();
  }

  private static @Nullable StoredCandle find(StoredCandles known, CandleInterval interval, Instant end) {
    for (var each : known.getCandles()) {
      if (each.getCandle().getEnd().equals(end) && each.getCandle().getInterval().equals(interval.label())) {
        return each;
      }
    }
    return null;
  }

  private static void add(StoredCandle candle, PriceUpdate update, @Nullable PriceMove move) {
    if (move != null) {
      add(candle, move.price(), update.observedAt(), update.beforeObservedAt());
    }
    if (update.name() != null) {
      candle.getCandle().setName(update.name());
    }
    if (update.visibility() != null) {
      candle.getCandle().setVisible(update.visibility().getVisible());
    }
  }

  /**
   * Returns the time that determines in which window a change counts: the time of its observation, or of its commit
   * if it was committed too late.
   */
  private static Instant countedAt(CandleInterval interval, PriceUpdate update) {
    var closes = interval.endOf(update.observedAt()).plus(LATENESS);
    return update.committedAt().isBefore(closes) ? update.observedAt() : update.committedAt();
  }

  /** Opens the window of an interval that contains a time. */
  private StoredCandle open(
      StoredCandles known, CandleInterval interval, Instant time, PriceUpdate update, CandlePrice price) {
    var candle = AvroRecords.copy(BLANK);
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
    var volume = known.getPrice() == null ? null : known.getPrice().getVolume();
    var open = new StoredCandle(candle, Instant.EPOCH, candle.getStart(), volume, 0.0, 0.0);
    if (known.getCandles().stream().noneMatch(each -> each.getCandle().getEnd().equals(candle.getEnd()))) {
      ends.put(candle.getEnd(), update.key(), "");
    }
    known.getCandles().add(open);
    return open;
  }

  /** {@code beforeObservedAt} is when the previous price was last observed; null if it was never observed. */
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

  /** Counts an observation if it is in the candle's window and later than all observations counted before. */
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

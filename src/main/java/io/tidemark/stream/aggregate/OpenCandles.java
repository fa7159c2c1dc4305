package io.tidemark.stream.aggregate;

import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandle;
import io.tidemark.event.PoolChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The candles whose windows are not over, ordered by the ends of these, and how far windows are over.
 *
 * <p>What comes for a window that is over is counted in the metric {@code late-changes-total} and dropped: a candle is
 * given away once.
 */
final class OpenCandles {

  private static final String ENDED = "until";

  private final KeyValueStore<String, OpenCandle> open;
  private final KeyValueStore<String, Long> ended;
  private final Sensor late;

  OpenCandles(ProcessorContext<?, ?> context) {
    open = context.getStateStore(PoolCandles.OPEN);
    ended = context.getStateStore(PoolCandles.ENDED);
    late = context.metrics().addRateTotalSensor(
        "pool-candles", context.taskId().toString(), "late-changes", Sensor.RecordingLevel.INFO);
  }

  /** Adds a price to its window of every interval; windows begun by it open with the price before. */
  void draw(PoolChange change, Price price, Price before) {
    for (var interval : Interval.values()) {
      if (interval.endOf(change.getOrigin().getObservedAt()).toEpochMilli() <= endedUntil()) {
        late.record();
      } else {
        draw(interval, change, price, before);
      }
    }
  }

  /** Notes whether the pool is in sight in the candles that are open of it. */
  void sight(PoolChange change) {
    for (var interval : Interval.values()) {
      var key = key(interval, change);
      var drawn = open.get(key);
      if (drawn != null) {
        drawn.getCandle().setInSight(change.getSight().getInSight());
        open.put(key, drawn);
      }
    }
  }

  /** Ends the windows that were over at a time, earliest first, and gives their candles away. */
  void endAll(Instant time, Consumer<Candle> taker) {
    var until = Interval.MINUTE.startOf(time).toEpochMilli();
    if (until > endedUntil()) {
      for (var key : keysUntil(until)) {
        taker.accept(Drawing.end(open.delete(key)));
      }
      ended.put(ENDED, until);
    }
  }

  private void draw(Interval interval, PoolChange change, Price price, Price before) {
    var observedAt = change.getOrigin().getObservedAt();
    var key = key(interval, change);
    var known = open.get(key);
    var drawn = known == null ? Drawing.begin(change.getId(), interval, observedAt, before) : known;
    Drawing.add(drawn, price, observedAt, change.getPrice().getBeforeObservedAt());
    open.put(key, drawn);
  }

  private List<String> keysUntil(long end) {
    var keys = new ArrayList<String>();
    try (var due = open.range(null, sortable(end) + "0")) { // '0' is next to '/'
      due.forEachRemaining(entry -> keys.add(entry.key));
    }
    return keys;
  }

  private long endedUntil() {
    var until = ended.get(ENDED);
    return until == null ? Long.MIN_VALUE : until;
  }

  private static String key(Interval interval, PoolChange change) {
    var end = interval.endOf(change.getOrigin().getObservedAt()).toEpochMilli();
    return String.join("/", sortable(end), interval.label(), change.getId());
  }

  private static String sortable(long millis) {
    return "%013d".formatted(millis);
  }
}

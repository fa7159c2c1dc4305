package io.tidemark.stream.candle;

import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandle;
import io.tidemark.event.Sight;
import io.tidemark.stream.tick.Agenda;
import java.time.Instant;
import java.util.function.Consumer;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The candles whose windows are not over, due at the ends of these, and how far windows are over.
 *
 * <p>What comes for a window that is over is counted in the metric {@code late-changes-total} and dropped: a candle is
 * given away once.
 */
final class OpenCandles {

  private static final String ENDED = "until";

  private final Agenda<OpenCandle> open;
  private final KeyValueStore<String, Long> ended;
  private final Sensor late;

  OpenCandles(ProcessorContext<?, ?> context) {
    open = new Agenda<>(context.getStateStore(Candles.OPEN));
    ended = context.getStateStore(Candles.ENDED);
    late = context.metrics().addRateTotalSensor(
        "candles", context.taskId().toString(), "late-changes", Sensor.RecordingLevel.INFO);
  }

  /** Adds a price to its window of every interval; windows begun by it open with the price before. */
  void draw(String id, Quote quote, Price price, Price before) {
    for (var interval : Interval.values()) {
      if (interval.endOf(quote.observedAt()).toEpochMilli() <= endedUntil()) {
        late.record();
      } else {
        draw(interval, id, quote, price, before);
      }
    }
  }

  /** Notes whether the resource is in sight in the candles that are open of it. */
  void sight(String id, Quote quote, Sight sight) {
    for (var interval : Interval.values()) {
      var end = interval.endOf(quote.observedAt());
      var drawn = open.get(end, name(interval, id, quote));
      if (drawn != null) {
        drawn.getCandle().setInSight(sight.getInSight());
        open.put(end, name(interval, id, quote), drawn);
      }
    }
  }

  /** Ends the windows that were over at a time, earliest first, and gives their candles away. */
  void endAll(Instant time, Consumer<Candle> taker) {
    var until = Interval.MINUTE.startOf(time);
    if (until.toEpochMilli() > endedUntil()) {
      open.take(until).forEach(drawn -> taker.accept(Drawing.end(drawn)));
      ended.put(ENDED, until.toEpochMilli());
    }
  }

  private void draw(Interval interval, String id, Quote quote, Price price, Price before) {
    var observedAt = quote.observedAt();
    var end = interval.endOf(observedAt);
    var known = open.get(end, name(interval, id, quote));
    var drawn = known == null ? Drawing.begin(quote.resource(), id, interval, observedAt, before) : known;
    Drawing.add(drawn, price, observedAt, quote.beforeObservedAt());
    open.put(end, name(interval, id, quote), drawn);
  }

  private long endedUntil() {
    var until = ended.get(ENDED);
    return until == null ? Long.MIN_VALUE : until;
  }

  private static String name(Interval interval, String id, Quote quote) {
    return String.join("/", interval.label(), quote.resource(), id);
  }
}

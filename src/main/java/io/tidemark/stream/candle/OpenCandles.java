package io.tidemark.stream.candle;

import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandle;
import io.tidemark.event.Visibility;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.topic.CandleInterval;
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

  private final DueQueue<OpenCandle> open;
  private final KeyValueStore<String, Long> closed;
  private final Sensor late;

  OpenCandles(ProcessorContext<?, ?> context) {
    open = new DueQueue<>(context.getStateStore(CandleTopology.OPEN));
    closed = context.getStateStore(CandleTopology.ENDED);
    late = context.metrics().addRateTotalSensor(
        "candles", context.taskId().toString(), "late-changes", Sensor.RecordingLevel.INFO);
  }

  /** Adds a price to its window of every interval; windows begun by it open with the price before. */
  void add(String id, PriceUpdate quote, CandlePrice price, CandlePrice before) {
    for (var interval : CandleInterval.values()) {
      if (interval.endOf(quote.observedAt()).toEpochMilli() <= closedUntil()) {
        late.record();
      } else {
        add(interval, id, quote, price, before);
      }
    }
  }

  /** Notes whether the resource is in sight in the candles that are open of it. */
  void updateVisibility(String id, PriceUpdate quote, Visibility sight) {
    for (var interval : CandleInterval.values()) {
      var end = interval.endOf(quote.observedAt());
      var drawn = open.get(end, name(interval, id, quote));
      if (drawn != null) {
        drawn.getCandle().setVisible(sight.getVisible());
        open.put(end, name(interval, id, quote), drawn);
      }
    }
  }

  /** Ends the windows that were over at a time, earliest first, and gives their candles away. */
  void closeUntil(Instant time, Consumer<Candle> taker) {
    var until = CandleInterval.MINUTE.startOf(time);
    if (until.toEpochMilli() > closedUntil()) {
      open.removeDue(until).forEach(drawn -> taker.accept(Drawing.end(drawn)));
      closed.put(ENDED, until.toEpochMilli());
    }
  }

  private void add(CandleInterval interval, String id, PriceUpdate quote, CandlePrice price, CandlePrice before) {
    var observedAt = quote.observedAt();
    var end = interval.endOf(observedAt);
    var known = open.get(end, name(interval, id, quote));
    var drawn = known == null ? Drawing.begin(quote.resource(), id, interval, observedAt, before) : known;
    Drawing.add(drawn, price, observedAt, quote.beforeObservedAt());
    open.put(end, name(interval, id, quote), drawn);
  }

  private long closedUntil() {
    var until = closed.get(ENDED);
    return until == null ? Long.MIN_VALUE : until;
  }

  private static String name(CandleInterval interval, String id, PriceUpdate quote) {
    return String.join("/", interval.label(), quote.resource(), id);
  }
}

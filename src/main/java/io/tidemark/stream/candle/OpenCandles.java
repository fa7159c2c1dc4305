package io.tidemark.stream.candle;

import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandle;
import io.tidemark.event.Visibility;
import io.tidemark.stream.candle.PriceUpdate.CandlePrice;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.topic.CandleInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The candles whose windows are open, by the end of the window, and the time until which windows are closed.
 *
 * <p>A change of a closed window is counted in the metric {@code late-changes-total} and dropped: a candle is published
 * once.
 *
 * <p>The longest gap of a candle is the longest stretch between the edges of its window and the observations known in
 * it. A change knows two: that of the new price, and the last one of the price before. Observations between two changes
 * are not in the event log, so the gap is an upper bound.
 */
final class OpenCandles {

  private static final String CLOSED_UNTIL = "until";

  private final DueQueue<OpenCandle> open;
  private final KeyValueStore<String, Long> closed;
  private final Sensor late;

  OpenCandles(ProcessorContext<?, ?> context) {
    open = new DueQueue<>(context.getStateStore(CandleTopology.OPEN));
    closed = context.getStateStore(CandleTopology.CLOSED);
    late = context.metrics().addRateTotalSensor(
        "candles", context.taskId().toString(), "late-changes", Sensor.RecordingLevel.INFO);
  }

  /** Adds a price to its window of every interval; a window that it opens starts with the price before. */
  void add(String id, PriceUpdate update, CandlePrice price, CandlePrice before) {
    for (var interval : CandleInterval.values()) {
      if (interval.endOf(update.observedAt()).toEpochMilli() <= closedUntil()) {
        late.record();
      } else {
        add(interval, id, update, price, before);
      }
    }
  }

  /** Sets the visibility of the resource in its open candles. */
  void updateVisibility(String id, PriceUpdate update, Visibility visibility) {
    for (var interval : CandleInterval.values()) {
      var end = interval.endOf(update.observedAt());
      var candle = open.get(end, name(interval, id, update));
      if (candle != null) {
        candle.getCandle().setVisible(visibility.getVisible());
        open.put(end, name(interval, id, update), candle);
      }
    }
  }

  /** Closes the windows that ended by a time, earliest first. */
  void closeUntil(Instant time, Consumer<Candle> publisher) {
    var until = CandleInterval.MINUTE.startOf(time);
    if (until.toEpochMilli() > closedUntil()) {
      open.removeDue(until).forEach(candle -> publisher.accept(close(candle)));
      closed.put(CLOSED_UNTIL, until.toEpochMilli());
    }
  }

  private void add(CandleInterval interval, String id, PriceUpdate update, CandlePrice price, CandlePrice before) {
    var observedAt = update.observedAt();
    var end = interval.endOf(observedAt);
    var known = open.get(end, name(interval, id, update));
    var candle = known == null ? open(update.resource(), id, interval, observedAt, before) : known;
    add(candle, price, observedAt, update.beforeObservedAt());
    open.put(end, name(interval, id, update), candle);
  }

  private long closedUntil() {
    var until = closed.get(CLOSED_UNTIL);
    return until == null ? Long.MIN_VALUE : until;
  }

  private static String name(CandleInterval interval, String id, PriceUpdate update) {
    return String.join("/", interval.label(), update.resource(), id);
  }

  private static OpenCandle open(
      String resource, String id, CandleInterval interval, Instant time, CandlePrice price) {
    var candle = Candle.newBuilder().build();
    candle.setResource(resource);
    candle.setId(id);
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
    return new OpenCandle(candle, candle.getStart(), candle.getStart());
  }

  /** Adds a price to one candle; {@code beforeObservedAt} is null where the price before was never observed. */
  private static void add(OpenCandle open, CandlePrice price, Instant observedAt, @Nullable Instant beforeObservedAt) {
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

  private static Candle close(OpenCandle open) {
    observe(open, open.getCandle().getEnd());
    return open.getCandle();
  }

  private static void observe(OpenCandle open, @Nullable Instant at) {
    if (at != null && at.isAfter(open.getObservedAt())) {
      var gap = Duration.between(open.getObservedAt(), at).toMillis() / 1000.0;
      open.getCandle().setLongestGap(Math.max(open.getCandle().getLongestGap(), gap));
      open.setObservedAt(at);
    }
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

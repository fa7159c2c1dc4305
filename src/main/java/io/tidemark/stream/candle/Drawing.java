package io.tidemark.stream.candle;

import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandle;
import io.tidemark.topic.CandleInterval;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a candle comes to be: begun with the price before it, a price at a time, ended with its window.
 *
 * <p>Its longest gap is the longest stretch between the edges of the window and the looks known of within it. A change
 * tells of two looks: the one that saw the new price, and the last one that saw the price before. Looks between two
 * changes that saw nothing new are not on the tape, so the gap is an upper bound.
 */
final class Drawing {

  private Drawing() {}

  static OpenCandle begin(String resource, String id, CandleInterval interval, Instant time, CandlePrice open) {
    var candle = Candle.newBuilder().build();
    candle.setResource(resource);
    candle.setId(id);
    candle.setInterval(interval.label());
    candle.setStart(interval.startOf(time));
    candle.setEnd(interval.endOf(time));
    candle.setVisible(true);
    candle.setLongestGap(0.0);
    candle.setOpen(open.number());
    candle.setOpenText(open.text());
    high(candle, open);
    low(candle, open);
    close(candle, open);
    return new OpenCandle(candle, candle.getStart(), candle.getStart());
  }

  /** Adds a price seen at a time; the one before it was seen last at another, where that is known. */
  static void add(OpenCandle drawn, CandlePrice price, Instant observedAt, @Nullable Instant beforeObservedAt) {
    var candle = drawn.getCandle();
    candle.setChanges(candle.getChanges() + 1);
    if (price.number() > candle.getHigh()) {
      high(candle, price);
    }
    if (price.number() < candle.getLow()) {
      low(candle, price);
    }
    if (!observedAt.isBefore(drawn.getCloseObservedAt())) {
      close(candle, price);
      drawn.setCloseObservedAt(observedAt);
    }
    observe(drawn, beforeObservedAt);
    observe(drawn, observedAt);
  }

  static Candle end(OpenCandle drawn) {
    observe(drawn, drawn.getCandle().getEnd());
    return drawn.getCandle();
  }

  private static void observe(OpenCandle drawn, @Nullable Instant at) {
    if (at != null && at.isAfter(drawn.getObservedAt())) {
      var gap = Duration.between(drawn.getObservedAt(), at).toMillis() / 1000.0;
      drawn.getCandle().setLongestGap(Math.max(drawn.getCandle().getLongestGap(), gap));
      drawn.setObservedAt(at);
    }
  }

  private static void high(Candle candle, CandlePrice price) {
    candle.setHigh(price.number());
    candle.setHighText(price.text());
  }

  private static void low(Candle candle, CandlePrice price) {
    candle.setLow(price.number());
    candle.setLowText(price.text());
  }

  private static void close(Candle candle, CandlePrice price) {
    candle.setClose(price.number());
    candle.setCloseText(price.text());
  }
}

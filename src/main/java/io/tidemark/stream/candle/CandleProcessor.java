package io.tidemark.stream.candle;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.Control;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.VolumeWindows;
import io.tidemark.stream.candle.CandleWindows.PriceMove;
import io.tidemark.stream.candle.PriceUpdate.CandlePrice;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.PendingTicks;
import io.tidemark.stream.tick.PendingTicks.PendingTick;
import io.tidemark.stream.tick.PreviousTick;
import java.time.Duration;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Builds candles from changes, and publishes them when a tick closes their windows. A tick is forwarded behind the
 * candles that it closes. Open candles are published at most once in {@link #OPEN_PERIOD} for each resource.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class CandleProcessor implements Processor<String, SpecificRecord, String, SpecificRecord> {

  static final Duration OPEN_PERIOD = Duration.ofSeconds(5);

  private CandleWindows windows;
  private DueQueue<String> changed;
  private PreviousTick previousTick;
  private PendingTicks pendingTicks;
  private KeyValueStore<String, KnownPrice> prices;
  private ProcessorContext<String, SpecificRecord> context;

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.prices = context.getStateStore(CandleTopology.PRICES);
    this.windows = new CandleWindows(context);
    this.changed = new DueQueue<>(context.getStateStore(CandleTopology.CHANGED));
    this.previousTick = new PreviousTick(context.getStateStore(CandleTopology.CLOSED));
    this.pendingTicks = new PendingTicks(context.getStateStore(CandleTopology.CLOSED));
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    if (!(record.value() instanceof Control control)) {
      change(PriceUpdate.of(record.key(), record.value(), Instant.ofEpochMilli(record.timestamp())));
      publish(PendingTicks.SLICE_OF_A_RECORD);
    } else if (control.getKind().equals("tick")) {
      var previous = previousTick.replaceWith(control.getAt());
      pendingTicks.add(control.getAt(), previous == null ? 0 : windows.closeUntil(previous).toEpochMilli());
      publish(PendingTicks.SLICE_OF_A_TICK);
    } else { // they come into force by their time, and need not wait
      context.forward(record);
    }
  }

  /** Publishes the next candles of closed windows, and the ticks that closed them behind them. */
  private void publish(int most) {
    var left = most;
    for (var tick = pendingTicks.first(); tick != null && left > 0; tick = pendingTicks.first()) {
      left -= publishClosed(tick, left);
      left -= publishOpen(tick.at(), left);
      if (left > 0) {
        forward("tick", Control.newBuilder().setKind("tick").setAt(tick.at()).build(), tick.at());
        pendingTicks.removeFirst();
      }
    }
    pendingTicks.save();
  }

  private int publishClosed(PendingTick tick, int most) {
    var closed = windows.removeClosed(Instant.ofEpochMilli(tick.value()), most);
    closed.forEach(candle -> forward(candle.getId(), candle, tick.at()));
    return closed.size();
  }

  private int publishOpen(Instant at, int most) {
    var due = changed.removeDue(at, most);
    due.forEach(key -> {
      var slash = key.indexOf('/');
      var resource = key.substring(0, slash);
      var id = key.substring(slash + 1);
      var open = windows.openAt(at, resource, id);
      if (!open.isEmpty()) {
        forward(id, new OpenCandles(resource, id, at, open), at);
      }
    });
    return due.size();
  }

  private void forward(String key, SpecificRecord value, Instant at) {
    context.forward(new Record<>(key, value, at.toEpochMilli()));
  }

  private void change(PriceUpdate update) {
    var known = prices.get(update.key());
    var volume = known == null ? null : known.getVolume();
    var isVolumeNew = update.removed() == null && isNew(update.volume(), volume);
    var price = update.isMove() ? update.after() : null;
    var move = price == null ? null : new PriceMove(price, priceBefore(known, update, price));
    windows.add(update, move, volume, isVolumeNew);
    if (move != null) {
      enqueue(update);
    }
    if (update.removed() == null) {
      store(known, update, isVolumeNew);
    } else {
      prices.delete(update.key());
      var tombstone = new Record<String, SpecificRecord>(update.id(), null, update.committedAt().toEpochMilli());
      context.forward(tombstone, CandleTopology.openName(update.resource()));
    }
  }

  /** The last known price, from the store or else from the change; the first price where none is known. */
  private static CandlePrice priceBefore(@Nullable KnownPrice known, PriceUpdate update, CandlePrice first) {
    var before = CandlePrice.of(known);
    return before != null ? before : requireNonNullElse(update.before(), first);
  }

  /** The open candles of a resource are published at the end of its period, which begins at a time of its own. */
  private void enqueue(PriceUpdate update) {
    var period = OPEN_PERIOD.toMillis();
    var phase = Math.floorMod(update.key().hashCode(), period);
    var due = Instant.ofEpochMilli(
        (Math.floorDiv(update.committedAt().toEpochMilli() - phase, period) + 1) * period + phase);
    if (changed.get(due, update.key()) == null) {
      changed.put(due, update.key(), update.key());
    }
  }

  private void store(@Nullable KnownPrice known, PriceUpdate update, boolean hasNewVolume) {
    var price = update.after();
    var volume = known == null ? null : known.getVolume();
    var hasNewPrice = price != null && (known == null || !update.observedAt().isBefore(known.getObservedAt()));
    if (price != null && hasNewPrice) {
      var next = hasNewVolume ? update.volume() : volume;
      prices.put(update.key(), new KnownPrice(price.number(), price.text(), update.observedAt(), next));
    } else if (known != null && hasNewVolume) {
      known.setVolume(update.volume());
      prices.put(update.key(), known);
    }
  }

  /** Whether an update shows a volume, and a later one than is known. */
  private static boolean isNew(@Nullable VolumeWindows volume, @Nullable VolumeWindows known) {
    return volume != null && (known == null || volume.getAt().isAfter(known.getAt()));
  }
}

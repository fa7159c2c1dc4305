package io.tidemark.stream.candle;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;
import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.StoredCandles;
import io.tidemark.event.VolumeWindows;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.candle.CandleWindows.PriceMove;
import io.tidemark.stream.candle.PriceUpdate.CandlePrice;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.PendingTicks;
import io.tidemark.stream.tick.PendingTicks.PendingTick;
import io.tidemark.stream.tick.ResourceStore;
import io.tidemark.stream.tick.TaskOutput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The moves of prices and the candles of one partition. A move is published at once. Candles are built from changes,
 * and published when a tick closes their windows. The tick is forwarded after these candles. The open candles of a
 * resource are published at most once in each {@link #OPEN_PERIOD}.
 */
public final class Candles {

  static final String ENDS = "candles-ends";
  static final String CLOSED = "candles-ended";
  static final String CHANGED = "candles-changed";

  private static final String OPEN = "open";

  static final Duration OPEN_PERIOD = Duration.ofSeconds(5);

  private final CandleWindows windows;
  private final DueQueue<String> changed;
  private final PendingTicks pendingTicks;
  private final TaskOutput<SpecificRecord> output;

  /**
   * Time of the newest tick. Open candles that were due by this time have been published, or are still to be published
   * for a tick that waits. {@link Instant#MAX} until the first tick after a start, because the time of the newest tick
   * before the start is unknown.
   */
  private Instant newestTick = Instant.MAX;

  /**
   * @param output receives moves of prices, the candles and control records. For a removed resource, it also receives
   *     tombstones: one for the open candles, and for each interval one at the removal, and one after each candle that
   *     closes later while the resource is still removed
   */
  public Candles(
      SchemaRegistry registry, ResourceStore resources, ProcessingContext context, TaskOutput<SpecificRecord> output) {
    this.output = output;
    this.windows = new CandleWindows(registry, resources, context);
    this.changed = new DueQueue<>(context.getStateStore(CHANGED));
    this.pendingTicks = new PendingTicks(context.getStateStore(CLOSED));
  }

  /** Returns the stores that the candles need, except the store of the resources. */
  public static Set<StoreBuilder<?>> stores() {
    return Set.of(
        onDisk(ENDS, Serdes.String()),
        inMemory(CHANGED, Serdes.String()),
        inMemory(CLOSED, Serdes.Long()));
  }

  /** Processes a change of a pool, token or ticker, with or without a price, or a control record. */
  public void process(Record<String, SpecificRecord> record) {
    if (!(record.value() instanceof Control control)) {
      change(PriceUpdate.of(record.key(), record.value(), Instant.ofEpochMilli(record.timestamp())), record.value());
      publish(PendingTicks.SLICE_OF_A_RECORD);
    } else if (control.getKind().equals("tick")) {
      var previous = pendingTicks.previous(control.getAt());
      newestTick = control.getAt();
      pendingTicks.add(control.getAt(), previous == null ? 0 : windows.closeUntil(previous).toEpochMilli());
      publish(PendingTicks.SLICE_OF_A_TICK);
    } else { // rules and silences come into force at their own times, so they need not wait
      output.forward(TaskOutput.CONTROL, record);
    }
  }

  /** Publishes the next candles that are due by the waiting ticks, and forwards each tick after its candles. */
  private void publish(int most) {
    var left = most;
    for (var tick = pendingTicks.first(); tick != null && left > 0; tick = pendingTicks.first()) {
      left -= publishClosed(tick, left);
      left -= publishOpen(tick.at(), left);
      if (left > 0) {
        var control = Control.newBuilder().setKind("tick").setAt(tick.at()).build();
        output.forward(TaskOutput.CONTROL, new Record<>("tick", control, tick.at().toEpochMilli()));
        pendingTicks.removeFirst();
      }
    }
    pendingTicks.save();
  }

  private int publishClosed(PendingTick tick, int most) {
    var closed = windows.removeClosed(Instant.ofEpochMilli(tick.value()), most);
    closed.forEach(each -> {
      var candle = each.candle();
      var topic = topic(candle.getResource(), candle.getInterval());
      forward(candle.getId(), candle, tick.at(), topic);
      if (each.isOfRemovedResource()) {
        forward(candle.getId(), null, tick.at(), topic);
      }
    });
    return closed.size();
  }

  private int publishOpen(Instant at, int most) {
    var due = changed.removeDue(at, most);
    due.forEach(each -> {
      var known = windows.find(each.name());
      var slash = each.name().indexOf('/');
      var resource = each.name().substring(0, slash);
      var id = each.name().substring(slash + 1);
      var open = known == null || known.getPrice() == null // nothing follows the tombstone of a removed resource
          ? List.<Candle>of()
          : CandleWindows.openAt(at, known, resource, id);
      if (!open.isEmpty()) {
        forward(id, new OpenCandles(resource, id, at, open), at, topic(resource, OPEN));
      }
    });
    return due.size();
  }

  private void forward(String key, @Nullable SpecificRecord value, Instant at, String topic) {
    output.forward(topic, new Record<>(key, value, at.toEpochMilli()));
  }

  private static String topic(String resource, String interval) {
    return resource + ".candles." + interval;
  }

  private void change(PriceUpdate update, SpecificRecord change) {
    var key = update.key();
    var found = windows.find(key);
    var known = found == null ? new StoredCandles(null, Instant.EPOCH, new ArrayList<>()) : found;
    var isVolumeNew = update.removed() == null && isNew(update.volume(), volume(known));
    var price = update.isMove() ? update.after() : null;
    var move = price == null ? null : new PriceMove(price, priceBefore(known.getPrice(), update, price));
    var isChanged = windows.add(known, update, move, isVolumeNew);
    if (move != null) {
      enqueue(known, update);
    }
    if (update.removed() == null) {
      isChanged |= setPrice(known, update, isVolumeNew);
    } else {
      isChanged |= known.getPrice() != null;
      known.setPrice(null);
      forward(update.id(), null, update.committedAt(), topic(update.resource(), OPEN));
      for (var interval : CandleInterval.values()) {
        forward(update.id(), null, update.committedAt(), topic(update.resource(), interval.label()));
      }
    }
    if (isChanged) {
      windows.save(key, known);
    }
    if (move != null) {
      forward(update.id(), PriceRecords.of(update, move, change, volume(known)), update.committedAt(),
          PriceRecords.TOPIC);
    }
  }

  private static @Nullable VolumeWindows volume(StoredCandles known) {
    return known.getPrice() == null ? null : known.getPrice().getVolume();
  }

  /**
   * Returns the price before an update: the stored price, else the previous price in the change, else {@code first}.
   */
  private static CandlePrice priceBefore(@Nullable KnownPrice known, PriceUpdate update, CandlePrice first) {
    var before = CandlePrice.of(known);
    return before != null ? before : requireNonNullElse(update.before(), first);
  }

  /**
   * Enqueues the open candles of a resource to be published at the end of the current {@link #OPEN_PERIOD}. The
   * periods of different resources begin at different times.
   */
  private void enqueue(StoredCandles known, PriceUpdate update) {
    var period = OPEN_PERIOD.toMillis();
    var phase = Math.floorMod(update.key().hashCode(), period);
    var due = Instant.ofEpochMilli(
        (Math.floorDiv(update.committedAt().toEpochMilli() - phase, period) + 1) * period + phase);
    if (!due.equals(known.getOpenDue()) || !due.isAfter(newestTick)) { // a tick removes the entries due by its time
      known.setOpenDue(due);
      changed.put(due, update.key(), "");
    }
  }

  /**
   * Replaces the stored price if the update contains a price that was not observed earlier, else only the volume of the
   * stored price if the update has a new volume. Returns whether anything was replaced.
   */
  private static boolean setPrice(StoredCandles known, PriceUpdate update, boolean hasNewVolume) {
    var price = update.after();
    var before = known.getPrice();
    if (price != null && (before == null || !update.observedAt().isBefore(before.getObservedAt()))) {
      var volume = hasNewVolume ? update.volume() : volume(known);
      known.setPrice(new KnownPrice(price.number(), price.text(), update.observedAt(), volume));
      return true;
    }
    if (before != null && hasNewVolume) {
      before.setVolume(update.volume());
    }
    return before != null && hasNewVolume;
  }

  /** Returns whether a volume was observed later than the known volume, or is the first. */
  private static boolean isNew(@Nullable VolumeWindows volume, @Nullable VolumeWindows known) {
    return volume != null && (known == null || volume.getAt().isAfter(known.getAt()));
  }
}

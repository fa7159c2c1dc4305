package io.tidemark.stream.candle;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.Control;
import io.tidemark.event.KnownPrice;
import io.tidemark.stream.candle.PriceUpdate.CandlePrice;
import io.tidemark.stream.tick.PreviousTick;
import java.time.Duration;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Builds candles from changes, and publishes them when a tick closes their windows. */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class CandleProcessor implements Processor<String, SpecificRecord, String, SpecificRecord> {

  /** How long a window stays open after its end: a snapshot of several pages is committed with its last page. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private OpenCandles open;
  private PreviousTick previousTick;
  private KeyValueStore<String, KnownPrice> prices;
  private ProcessorContext<String, SpecificRecord> context;

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.prices = context.getStateStore(CandleTopology.PRICES);
    this.open = new OpenCandles(context);
    this.previousTick = new PreviousTick(context.getStateStore(CandleTopology.CLOSED));
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      control(record, control);
    } else {
      change(record.key(), PriceUpdate.of(record.value()));
    }
  }

  private void control(Record<String, SpecificRecord> record, Control control) {
    var previous = control.getKind().equals("tick") ? previousTick.replaceWith(control.getAt()) : null;
    if (previous != null) {
      open.closeUntil(
          previous.minus(GRACE),
          candle -> context.forward(new Record<>(candle.getId(), candle, record.timestamp())));
    }
    context.forward(record);
  }

  private void change(String id, PriceUpdate update) {
    if (update.after() != null) {
      if (update.isMove()) {
        open.add(id, update, update.after(), priceBefore(id, update, update.after()));
      }
      store(id, update, update.after());
    }
    if (update.visibility() != null) {
      open.updateVisibility(id, update, update.visibility());
    }
    if (update.removed() != null) {
      prices.delete(key(id, update));
    }
  }

  /** The last known price, from the store or else from the change; the first price where none is known. */
  private CandlePrice priceBefore(String id, PriceUpdate update, CandlePrice first) {
    var known = CandlePrice.of(prices.get(key(id, update)));
    return known != null ? known : requireNonNullElse(update.before(), first);
  }

  private void store(String id, PriceUpdate update, CandlePrice price) {
    var known = prices.get(key(id, update));
    if (known == null || !update.observedAt().isBefore(known.getObservedAt())) {
      prices.put(key(id, update), new KnownPrice(price.number(), price.text(), update.observedAt()));
    }
  }

  private static String key(String id, PriceUpdate update) {
    return update.resource() + "/" + id;
  }
}

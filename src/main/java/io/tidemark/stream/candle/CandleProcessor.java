package io.tidemark.stream.candle;

import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.KnownPrice;
import io.tidemark.stream.tick.PreviousTick;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Draws candles as changes come, and gives them away when a tick says that their windows are over. */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class CandleProcessor implements Processor<String, SpecificRecord, String, SpecificRecord> {

  /** How long after its end a window waits: a sweep of several pages is committed when the last of them is there. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private OpenCandles open;
  private PreviousTick time;
  private KeyValueStore<String, KnownPrice> prices;
  private ProcessorContext<String, SpecificRecord> context;

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.prices = context.getStateStore(CandleTopology.PRICES);
    this.open = new OpenCandles(context);
    this.time = new PreviousTick(context.getStateStore(CandleTopology.ENDED));
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
    var due = control.getKind().equals("tick") ? time.replaceWith(control.getAt()) : null;
    if (due != null) {
      open.closeUntil(due.minus(GRACE), candle -> forward(candle, record.timestamp()));
    }
    context.forward(record);
  }

  private void change(String id, PriceUpdate quote) {
    if (quote.after() != null) {
      if (quote.isMove()) {
        open.add(id, quote, quote.after(), opening(id, quote, quote.after()));
      }
      remember(id, quote, quote.after());
    }
    if (quote.visibility() != null) {
      open.updateVisibility(id, quote, quote.visibility());
    }
    if (quote.removed() != null) {
      prices.delete(key(id, quote));
    }
  }

  /** The last price that was known, whether or not the change says so; the first one where none was. */
  private CandlePrice opening(String id, PriceUpdate quote, CandlePrice first) {
    return Stream.of(CandlePrice.of(prices.get(key(id, quote))), quote.before()).filter(Objects::nonNull).findFirst()
        .orElse(first);
  }

  private void remember(String id, PriceUpdate quote, CandlePrice price) {
    var known = prices.get(key(id, quote));
    if (known == null || !quote.observedAt().isBefore(known.getObservedAt())) {
      prices.put(key(id, quote), new KnownPrice(price.number(), price.text(), quote.observedAt()));
    }
  }

  private static String key(String id, PriceUpdate quote) {
    return quote.resource() + "/" + id;
  }

  private void forward(Candle candle, long timestamp) {
    context.forward(new Record<>(candle.getId(), candle, timestamp));
  }
}

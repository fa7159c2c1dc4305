package io.tidemark.stream.aggregate;

import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.OpenCandle;
import io.tidemark.event.PoolChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/** Draws candles as changes come, and gives them away when a tick says that their windows are over. */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class CandleProcessor implements Processor<String, SpecificRecord, String, Candle> {

  /** How long after its end a window waits: a sweep of several pages is committed when the last of them is there. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private OpenCandles open;
  private KeyValueStore<String, KnownPrice> prices;
  private ProcessorContext<String, Candle> context;

  @Override
  public void init(ProcessorContext<String, Candle> context) {
    this.context = context;
    this.prices = context.getStateStore(PoolCandles.PRICES);
    this.open = new OpenCandles(context);
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    switch (record.value()) {
      case PoolChange change -> change(change);
      case Control control when control.getKind().equals("tick") ->
          open.endAll(control.getAt().minus(GRACE), candle -> forward(candle, record.timestamp()));
      default -> { }
    }
  }

  private void change(PoolChange change) {
    var price = Price.after(change);
    if (price != null) {
      if (Price.moved(change)) {
        open.draw(change, price, opening(change, price));
      }
      remember(change.getId(), price, change.getOrigin().getObservedAt());
    }
    if (change.getSight() != null) {
      open.sight(change);
    }
    if (change.getLeft() != null) {
      prices.delete(change.getId());
    }
  }

  /** The last price that was known, whether or not the change says so; the first one where none was. */
  private Price opening(PoolChange change, Price first) {
    var known = Stream.of(Price.of(prices.get(change.getId())), Price.before(change));
    return known.filter(Objects::nonNull).findFirst().orElse(first);
  }

  private void remember(String pool, Price price, Instant observedAt) {
    var known = prices.get(pool);
    if (known == null || !observedAt.isBefore(known.getObservedAt())) {
      prices.put(pool, new KnownPrice(price.text(), observedAt));
    }
  }

  private void forward(Candle candle, long timestamp) {
    context.forward(new Record<>(candle.getId(), candle, timestamp));
  }
}

package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PriceHistory;
import io.tidemark.rule.Decimals;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The price of a pool moved by more than a threshold within a time, up from its lowest or down from its highest.
 *
 * <p>The pool's own history says so, in minutes; the price before a change counts with the time when it was last seen.
 * Where that is longer ago than the time, looks are sparse, and the change's own {@code move_percent} decides.
 */
public record PriceMove(String topic, Settings settings) implements Mechanism<PoolChange, PriceHistory> {

  /**
   * When to tell of moves.
   *
   * @param percent the least move, in either direction
   * @param within the time it takes at most
   * @param cooldown how long a pool is not told of again
   */
  public record Settings(boolean enabled, Floors floors, double percent, Duration within, Duration cooldown) {

    public static final Settings DEFAULT =
        new Settings(true, Floors.of(10_000), 15, Duration.ofMinutes(10), Duration.ofMinutes(30));

    public Settings {
      if (!(percent > 0)) {
        throw new IllegalArgumentException("price-move.percent: more than 0, not " + percent);
      }
      Periods.requirePositive("price-move.within", within);
      Periods.requirePositive("price-move.cooldown", cooldown);
    }
  }

  /** From changes of pools and ticks to alerts, by pool. */
  public static KStream<String, Alert> alerts(
      KStream<String, SpecificRecord> pools, Topic<PoolChange> topic, Settings settings, Registry registry) {
    return new PriceMove(topic.name(), settings).alerts(pools, registry);
  }

  @Override
  public String rule() {
    return "price-move";
  }

  @Override
  public Class<PoolChange> records() {
    return PoolChange.class;
  }

  @Override
  public Class<PriceHistory> memories() {
    return PriceHistory.class;
  }

  @Override
  public boolean isStale(PriceHistory history, Instant now) {
    return History.hasEnded(history, now.minus(settings.within())) && !isCooling(history, now);
  }

  @Override
  public @Nullable Finding look(PoolChange change, KeyValueStore<String, PriceHistory> memory) {
    var price = change.getPrice() == null ? null : number(change.getPrice().getAfter());
    if (price == null) {
      return null;
    }
    var known = memory.get(change.getId());
    var history = known == null ? History.empty() : known;
    var at = change.getOrigin().getObservedAt();
    var finding = isCooling(history, at) ? null : finding(change, largest(change, history, price));
    var longer = History.with(history, at, price, at.minus(settings.within()));
    longer.setFiredAt(finding == null ? history.getFiredAt() : at);
    memory.put(change.getId(), longer);
    return finding;
  }

  private @Nullable Finding finding(PoolChange change, @Nullable Move move) {
    if (move == null || move.size() < settings.percent() || change.getOrigin().getBaseline()) {
      return null;
    }
    return settings.floors().met(change.getNetwork(), change.getAbout()) ? told(change, move) : null;
  }

  private boolean isCooling(PriceHistory history, Instant now) {
    return history.getFiredAt() != null && now.isBefore(history.getFiredAt().plus(settings.cooldown()));
  }

  /** From the history and the price before; from the latter alone where looks are sparse. */
  private @Nullable Move largest(PoolChange change, PriceHistory history, double price) {
    var from = change.getOrigin().getObservedAt().minus(settings.within());
    var seen = History.largest(history, from, price);
    var last = last(change, price);
    if (last == null || (seen != null && last.since().isBefore(from))) {
      return seen;
    }
    return seen == null ? last : seen.larger(last);
  }

  private static @Nullable Move last(PoolChange change, double price) {
    var before = number(change.getPrice().getBefore());
    var seen = change.getPrice().getBeforeObservedAt();
    return before == null || seen == null ? null : new Move(before, price, seen);
  }

  private static @Nullable Double number(@Nullable PoolPrice price) {
    var text = price == null ? null : price.getBaseTokenPriceUsd();
    return text == null ? null : Decimals.parse(text);
  }

  private Finding told(PoolChange change, Move move) {
    var about = change.getAbout();
    var at = change.getOrigin().getObservedAt();
    var summary = "%s %s %.1f %% within %s: from %s to %s, reserve %s".formatted(
        Wording.name(about.getName()),
        move.percent() > 0 ? "up" : "down",
        move.size(),
        Wording.span(Duration.between(move.since(), at)),
        Wording.usd(move.from()),
        Wording.usd(move.to()),
        Wording.usd(about.getReserveUsd()));
    var evidence = Proof.of(topic, change)
        .with("price.base_token_price_usd", change.getPrice().getAfter().getBaseTokenPriceUsd())
        .with("price.move_percent", change.getPrice().getMovePercent())
        .with("about.reserve_usd", about.getReserveUsd())
        .with("moved.from", move.from())
        .with("moved.since", move.since())
        .with("moved.percent", move.percent());
    var subject = new Finding.Subject(change.getId(), change.getNetwork(), about.getDex(), null);
    return new Finding(rule(), "warning", subject, at, summary, List.of(evidence.evidence()));
  }
}

package io.tidemark.stream.candle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolActivityChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.ResourceSections;
import io.tidemark.event.StoredCandle;
import io.tidemark.event.StoredCandles;
import io.tidemark.event.Windows;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.PoolChanges;
import io.tidemark.stream.TaskRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Candles of random histories of several pools, with late changes, removals, and pauses of up to days. */
class CandleHistoriesTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int POOLS = 4;
  static final int STEPS = 3_000;

  /** A record and when it is committed; a tick where it is control. */
  record Committed(String key, SpecificRecord value, Instant at) {}

  /** What a topic of one interval gets of a candle. */
  record Drawn(Instant end, String id, String prices, int changes, boolean visible) {
    static Drawn of(Candle candle) {
      return new Drawn(candle.getEnd(), candle.getId(),
          String.join(" ", candle.getOpenText(), candle.getHighText(), candle.getLowText(), candle.getCloseText()),
          candle.getChanges(), candle.getVisible());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void candlesOfEachInterval_areThoseOfADrawingWindowByWindow(long seed) {
    var history = history(new Random(seed));
    var published = new Run().all(history);

    var drawing = new Drawing();
    history.forEach(drawing::add);
    for (var interval : CandleInterval.values()) {
      assertThat(candles(published, interval)).as(interval.label()).isEqualTo(drawing.of(interval));
    }
    assertThat(drawing.late).as("late changes of the history").isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void abortedTransactions_changeNothing(long seed) {
    var history = history(new Random(seed));

    assertThat(new Run().allWithAborts(history, new Random(seed))).isEqualTo(new Run().all(history));
  }

  @Test
  void storesOfPoolsThatAreRemoved_areEmptyADayLater() {
    var run = new Run();
    run.all(history(new Random(7)));
    for (var pool = 0; pool < POOLS; pool++) {
      run.process(removed(pool, NOON.plus(Duration.ofDays(400))));
    }
    run.process(tick(NOON.plus(Duration.ofDays(402))));
    run.process(tick(NOON.plus(Duration.ofDays(402)).plusSeconds(1)));

    assertThat(run.resources.entries()).isEmpty();
    assertThat(run.ends.entries()).isEmpty();
    assertThat(run.changed.entries()).isEmpty();
  }

  @Test
  void recordOfAPoolThatMovesForHours_holdsNoMoreThanTheLastWindows() {
    var run = new Run();
    for (var minute = 0; minute < 200; minute++) {
      var at = NOON.plus(Duration.ofMinutes(minute));
      run.process(move(0, at, at, Integer.toString(minute + 1), Integer.toString(minute + 2)));
      run.process(tick(at.plusSeconds(2)));
      run.process(tick(at.plusSeconds(3)));
    }

    assertThat(run.resources.entries().values()).singleElement()
        .satisfies(known -> assertThat(candles(known)).hasSizeLessThanOrEqualTo(2 * CandleInterval.values().length));
  }

  private static List<StoredCandle> candles(ResourceSections known) {
    var serde = new AvroSerde<>(StoredCandles.class, new BuiltInRegistry(List.of()));
    return serde.decode("test", AvroRecords.bytes(known.getSections().get("pool.candles"))).getCandles();
  }

  @Test
  void changeOfAKnownPool_readsAndWritesItsRecordOnce() {
    var run = new Run();
    run.process(move(0, NOON, NOON, "1", "2"));
    run.process(tick(NOON.plusSeconds(1)));
    run.process(tick(NOON.plusSeconds(6)));
    run.process(move(1, NOON.plusSeconds(9), NOON.plusSeconds(9), "1", "2"));
    run.process(move(0, NOON.plusSeconds(10), NOON.plusSeconds(10), "2", "3"));

    assertThat(run.task.lastOperations()).as("and puts when its open candles are published").isEqualTo(3);
  }

  /** Changes and ticks in the order in which they are read: some changes are observed, some committed before others. */
  static List<Committed> history(Random random) {
    var history = new ArrayList<Committed>();
    var at = NOON;
    var prices = new HashMap<Integer, String>();
    for (var step = 0; step < STEPS; step++) {
      at = at.plusMillis(pause(random));
      if (random.nextInt(3) == 0) {
        history.add(tick(at));
      } else {
        history.add(change(random, random.nextInt(POOLS), at, prices));
      }
    }
    for (var count = 0; count < STEPS / 20; count++) {
      var from = random.nextInt(history.size());
      if (!(history.get(from).value() instanceof Control)) {
        history.add(Math.min(history.size() - 1, from + random.nextInt(30)), history.remove(from));
      }
    }
    for (var second = 0; second < 3; second++) {
      history.add(tick(at.plus(Duration.ofDays(2)).plusSeconds(second)));
    }
    return history;
  }

  private static long pause(Random random) {
    return switch (random.nextInt(100)) {
      case 0 -> Duration.ofHours(26).toMillis();
      case 1, 2 -> Duration.ofMinutes(random.nextInt(200)).toMillis();
      case 3, 4, 5, 6, 7, 8, 9 -> 58_000 + random.nextInt(2_000);
      default -> random.nextInt(4_000);
    };
  }

  private static Committed change(Random random, int pool, Instant at, Map<Integer, String> prices) {
    var observedAt = at.minusMillis(random.nextInt(4) == 0 ? random.nextInt(90_000) : random.nextInt(900));
    return switch (random.nextInt(20)) {
      case 0 -> new Committed(id(pool), of(pool, PoolChanges.notVisible(observedAt)), at);
      case 1 -> new Committed(id(pool), of(pool, PoolChanges.visible(observedAt)), at);
      case 2 -> {
        prices.remove(pool);
        yield removed(pool, at);
      }
      case 3 -> new Committed(id(pool), of(pool, withVolume(PoolChanges.change(observedAt, 1.0), random)), at);
      default -> {
        var after = Integer.toString(1 + random.nextInt(1_000));
        var moved = move(pool, observedAt, at, prices.put(pool, after), after);
        if (random.nextBoolean()) {
          withVolume((PoolChange) moved.value(), random);
        }
        yield moved;
      }
    };
  }

  private static PoolChange withVolume(PoolChange change, Random random) {
    var windows = new Windows(null, null, null, null, null, Integer.toString(random.nextInt(9_999)));
    change.setActivity(
        PoolActivityChange.newBuilder().setAfter(PoolActivity.newBuilder().setVolumeUsd(windows).build()).build());
    return change;
  }

  private static Committed move(int pool, Instant observedAt, Instant at, String before, String after) {
    return new Committed(id(pool), of(pool, PoolChanges.moved(observedAt, before, after)), at);
  }

  private static Committed removed(int pool, Instant at) {
    return new Committed(id(pool), of(pool, PoolChanges.removed(at, "evicted")), at);
  }

  private static Committed tick(Instant at) {
    return new Committed("tick", Control.newBuilder().setAt(at).build(), at);
  }

  private static PoolChange of(int pool, PoolChange change) {
    change.setId(id(pool));
    return change;
  }

  private static String id(int pool) {
    return "solana/pool-" + pool;
  }

  private static List<Drawn> candles(List<SpecificRecord> published, CandleInterval interval) {
    return published.stream()
        .filter(Candle.class::isInstance)
        .map(Candle.class::cast)
        .filter(candle -> candle.getInterval().equals(interval.label()))
        .map(Drawn::of)
        .toList();
  }

  /** A task with stores of bytes, as they are in Kafka Streams. */
  private static final class Run {
    private final CountingStore<ResourceSections> resources = TaskRun.resources();
    private final CountingStore<String> ends = new CountingStore<>(Candles.ENDS);
    private final CountingStore<String> changed = new CountingStore<>(Candles.CHANGED);
    private final CountingStore<Long> closed = new CountingStore<>(Candles.CLOSED);
    private final List<CountingStore<?>> stores = List.of(resources, ends, changed, closed);
    private final TaskRun<SpecificRecord, SpecificRecord> task =
        new TaskRun<>(
            TaskRun.withResources((resources, context,
                output) -> new Candles(new BuiltInRegistry(List.of()), resources, context, output)::process),
            0, stores);

    List<SpecificRecord> process(Committed record) {
      return task.process(record.key(), record.value(), record.at());
    }

    List<SpecificRecord> all(List<Committed> history) {
      return history.stream().flatMap(each -> process(each).stream()).toList();
    }

    /** The same with transactions of some records, each of which may be aborted first: it is then done again. */
    List<SpecificRecord> allWithAborts(List<Committed> history, Random random) {
      var published = new ArrayList<SpecificRecord>();
      for (var from = 0; from < history.size();) {
        var to = Math.min(history.size(), from + 1 + random.nextInt(40));
        var transaction = history.subList(from, to);
        if (random.nextBoolean()) {
          var before = stores.stream().<Map<String, ?>>map(CountingStore::entries).toList();
          all(transaction);
          for (var store = 0; store < stores.size(); store++) {
            stores.get(store).goBackTo(before.get(store));
          }
          task.init();
        }
        published.addAll(all(transaction));
        from = to;
      }
      return published;
    }
  }

  /** All windows of all intervals side by side, each drawn for itself. */
  private static final class Drawing {
    private final Map<CandleInterval, List<Drawn>> drawn = new HashMap<>();
    private final Map<String, PricePoint> prices = new HashMap<>();
    private final TreeMap<WindowKey, Window> open = new TreeMap<>(
        Comparator.comparing(WindowKey::end).thenComparing(WindowKey::id).thenComparing(WindowKey::interval));
    private Instant closedUntil = Instant.MIN;
    private Instant tick = Instant.MIN;
    private int late;

    private record PricePoint(int price, Instant observedAt) {}

    private record WindowKey(Instant end, String id, CandleInterval interval) {}

    private static final class Window {
      private final int first;
      private int high;
      private int low;
      private int last;
      private int changes;
      private boolean visible = true;
      private Instant lastObservedAt = Instant.EPOCH;

      Window(int first) {
        this.first = first;
        high = first;
        low = first;
        last = first;
      }

      void add(PricePoint price) {
        changes++;
        high = Math.max(high, price.price());
        low = Math.min(low, price.price());
        if (!price.observedAt().isBefore(lastObservedAt)) {
          last = price.price();
          lastObservedAt = price.observedAt();
        }
      }
    }

    List<Drawn> of(CandleInterval interval) {
      return drawn.getOrDefault(interval, List.of());
    }

    void add(Committed record) {
      if (record.value() instanceof PoolChange change) {
        add(change, record.at());
      } else {
        if (tick.isAfter(Instant.MIN)) {
          closedUntil = CandleInterval.MINUTE.startOf(tick.minusMillis(700));
        }
        tick = record.at();
        close();
      }
    }

    private void add(PoolChange change, Instant committedAt) {
      var id = change.getId();
      var observedAt = change.getOrigin().getObservedAt();
      var after =
          change.getPrice() == null ? null : usd(change.getPrice().getAfter().getBaseTokenPriceUsd(), observedAt);
      var sent = change.getPrice() == null ? null : change.getPrice().getBefore().getBaseTokenPriceUsd();
      var isMove = after != null && !change.getPrice().getAfter().getBaseTokenPriceUsd().equals(sent);
      var known = prices.get(id);
      for (var interval : CandleInterval.values()) {
        var isInTime = committedAt.isBefore(interval.endOf(observedAt).plusMillis(700));
        var window = new WindowKey(interval.endOf(isInTime ? observedAt : committedAt), id, interval);
        if (!window.end().isAfter(closedUntil)) {
          late += isMove ? 1 : 0;
        } else {
          if (isMove) {
            var before = known != null ? known.price() : sent != null ? Integer.parseInt(sent) : after.price();
            open.computeIfAbsent(window, each -> new Window(before)).add(after);
          }
          if (change.getVisibility() != null && open.containsKey(window)) {
            open.get(window).visible = change.getVisibility().getVisible();
          }
        }
      }
      if (change.getRemoved() != null) {
        prices.remove(id);
      } else if (after != null && (known == null || !observedAt.isBefore(known.observedAt()))) {
        prices.put(id, after);
      }
    }

    private static PricePoint usd(String text, Instant observedAt) {
      return new PricePoint(Integer.parseInt(text), observedAt);
    }

    private void close() {
      while (!open.isEmpty() && !open.firstKey().end().isAfter(closedUntil)) {
        var entry = open.pollFirstEntry();
        var window = entry.getValue();
        drawn.computeIfAbsent(entry.getKey().interval(), each -> new ArrayList<>()).add(new Drawn(
            entry.getKey().end(), entry.getKey().id(),
            "%d %d %d %d".formatted(window.first, window.high, window.low, window.last), window.changes,
            window.visible));
      }
    }
  }
}

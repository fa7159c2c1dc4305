package io.tidemark.serve.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.event.AvroSettings;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import reactor.core.scheduler.Schedulers;

/** A market, what a source that watches it commits, and the mirror of that: through the bytes of the topics. */
final class MirroredMarket implements AutoCloseable {
  static {
    AvroSettings.apply();
  }

  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final SchemaRegistry REGISTRY = new BuiltInRegistry(TOPICS.all());
  private static final Duration MONTH = Duration.ofDays(30);

  final MirrorStore store = new MirrorStore(TOPICS, Endpoints::parseTarget, List.of(), day -> false);
  final List<CommittedRecord> records = new ArrayList<>();
  private final Function<Instant, MarketData> market;
  private final ChangeDetector detection;
  private final ResourceStateStore known = new ResourceStateStore(TOPICS, REGISTRY, null);
  Instant now;

  MirroredMarket(Function<Instant, MarketData> market, Instant start) {
    this.market = market;
    this.now = start;
    this.detection = new ChangeDetector(PublishSettings.MATERIAL, MONTH, MONTH, start, start);
  }

  /** A mirror with all that was committed. */
  Mirror mirror() {
    store.readAllUntil(0);
    return new Mirror(store, () -> now, Schedulers.parallel());
  }

  /** Polls a target: at most so many pages. */
  void poll(String target, int most) {
    poll(Endpoints.parseTarget(target), most);
  }

  void poll(Query<?> query, int most) {
    var pages = new ArrayList<Answer<?>>();
    Failure failure = null;
    var exhausted = !(query instanceof Query.Paged<?>);
    for (var page = 1; (page <= most && failure == null && !exhausted) || page == 1; page++) {
      try {
        Query<?> asked = query instanceof Query.Paged<?> paged ? paged.withPage(page) : query;
        Answer<?> answer = ask(asked);
        pages.add(answer);
        exhausted = exhausted || isShort(answer.body().read());
      } catch (Failure e) {
        failure = e;
      }
    }
    var target = new Target("main", Endpoints.targetName(query), query, most);
    commit(detection.detect(new Snapshot(target, pages, exhausted, failure, now, now), known));
  }

  /** Whether a page is the end of its list. */
  private static boolean isShort(Object body) {
    return switch (body) {
      case OnChainAnswer<?>(List<?> pools, var included) -> pools.size() < 20;
      case TickersAnswer tickers -> tickers.tickers().size() < 100;
      default -> true;
    };
  }

  private <A> Answer<A> ask(Query<A> query) {
    return query.askOf(market.apply(now)).block();
  }

  /** Everything that a transaction of the ledger holds for the mirror. */
  void commit(ChangeSet changes) {
    AppendedStates.append(known, TOPICS, changes);
    changes.updates().forEach(
        update -> record(TOPICS.resource(update.resource()).state(), update.key(), update.state()));
    changes.members().forEach(
        page -> record(TOPICS.targetMembers(), page.getTarget() + "#" + page.getPage(), page));
    record(TOPICS.targetState(), changes.targetState().getTarget(), changes.targetState());
  }

  private void record(Topic<?> topic, String key, SpecificRecord value) {
    var record = committed(topic, key, value, now.toEpochMilli());
    records.add(record);
    store.apply(record);
  }

  /** A record as a reader of Kafka gets it: encoded and decoded. */
  static <V extends SpecificRecord> CommittedRecord committed(
      Topic<V> topic, String key, SpecificRecord value, long timestamp) {
    var serde = topic.serde(REGISTRY);
    var decoded = value == null
        ? null
        : serde.decode(topic.name(), serde.encode(topic.name(), topic.value().cast(value)));
    return new CommittedRecord(topic.name(), 0, 0, timestamp, key, Map.of(), 0, decoded, null);
  }

  /** The body of an answer as it is served. */
  static <A> String body(Query<A> query, MarketData market) {
    var answer = query.askOf(market).block();
    return new String(Endpoints.<A, Query<A>>of(query).encode(query, answer.body().read(),
        FieldNaming.DOCUMENT), UTF_8);
  }

  @Override
  public void close() {
    known.close();
  }
}

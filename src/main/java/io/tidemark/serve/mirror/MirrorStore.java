package io.tidemark.serve.mirror;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.Global;
import io.tidemark.event.Holding;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.event.RankingState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.Ticker;
import io.tidemark.event.Token;
import io.tidemark.event.Treasury;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Topics;
import io.tidemark.market.Query;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/**
 * The newest states of a source, built up from the records of its topics. The store reads states and not changes,
 * because a state has everything that is known, including withheld values. The members of targets are read first,
 * because they decide which states are held: the states of resources that a target shows or that are visible. All
 * other states are forgotten, so that the watch list bounds the memory. Keys are interned, because each key is in
 * several records and maps. One thread applies records; any thread reads.
 */
final class MirrorStore {
  private static final String RANKING = "ranking";
  private static final String TARGET = "target";
  private static final String MEMBERS = "members of a target";

  private final Map<String, EncodedStates<?>> states = new HashMap<>();

  /** What the records of a topic are about, by its name: a kind of resource, {@link #TARGET} or {@link #MEMBERS}. */
  private final Map<String, String> kinds = new HashMap<>();

  private final WatchedTargets targets;
  private final RankingOrders rankings;
  private final PoolSearch search = new PoolSearch();
  private volatile boolean caughtUp;
  private long now;

  /**
   * @param parse returns the query for a target's name; throws {@link IllegalArgumentException} if the name is
   *     invalid
   * @param configured queries that the configuration watches, without the days of histories
   * @param isConfiguredDay returns whether the configuration watches a day of a history at present
   */
  MirrorStore(Topics topics, Function<String, Query<?>> parse, Collection<Query<?>> configured,
      Predicate<Query.CoinHistory> isConfiguredDay) {
    this.targets = new WatchedTargets(parse, configured, isConfiguredDay);
    Map.of("pool", Pool.class, "token", Token.class, "global", Global.class, "coin-day", CoinDay.class,
        "ticker", Ticker.class, "derivatives-exchange", DerivativesExchange.class, "contract", Contract.class,
        "treasury", Treasury.class, "holding", Holding.class, "platform", Platform.class)
        .forEach((resource, type) -> states.put(resource, new EncodedStates<>(resource, type)));
    this.rankings = new RankingOrders(of("pool", Pool.class));
    topics.resources().forEach(each -> kinds.put(each.state().name(), each.resource()));
    kinds.put(topics.targetState().name(), TARGET);
    kinds.put(topics.targetMembers().name(), MEMBERS);
  }

  /** Applies a readable record. */
  void apply(CommittedRecord record) {
    var kind = requireNonNull(kinds.get(record.topic()), record.topic());
    switch (record.value()) {
      case null -> applyTombstone(kind, record.keyText());
      case TargetState state -> targets.put(state);
      case TargetMembers page -> forget(targets.put(page));
      case RankingState state -> rankings.put(record.keyText(), state, record.timestamp(), now);
      default -> put(kind, record, record.value());
    }
  }

  private void applyTombstone(String kind, String key) {
    switch (kind) {
      case TARGET -> targets.remove(key);
      case MEMBERS -> forget(targets.removePage(key));
      case RANKING -> rankings.remove(key);
      default -> remove(kind, key);
    }
  }

  /** Sets the time of receipt of the next records: a time of the monotonic clock, in nanoseconds. */
  void setTime(long nanos) {
    now = nanos;
  }

  /**
   * Notes that everything committed before the given time of the monotonic clock, in nanoseconds, has been applied.
   * Therefore, shows the orders of lists that were received before that time and still wait for pools.
   */
  void readAllUntil(long nanos) {
    rankings.releaseReceivedBefore(nanos);
    caughtUp = caughtUp || rankings.allHaveOrders();
  }

  boolean isCaughtUp() {
    return caughtUp;
  }

  @SuppressWarnings("unchecked") // each kind was created with its class
  <R extends SpecificRecord> EncodedStates<R> of(String resource, Class<R> type) {
    return (EncodedStates<R>) requireNonNull(states.get(resource), resource);
  }

  WatchedTargets targets() {
    return targets;
  }

  RankingOrders rankings() {
    return rankings;
  }

  PoolSearch search() {
    return search;
  }

  int size() {
    return states.values().stream().mapToInt(EncodedStates::size).sum();
  }

  /** Returns the size, in bytes, of all keys and states. */
  long bytes() {
    return states.values().stream().mapToLong(EncodedStates::bytes).sum();
  }

  private void put(String resource, CommittedRecord record, SpecificRecord state) {
    var key = record.keyText().intern();
    var known = requireNonNull(states.get(resource)).put(key, state, record.timestamp());
    if (known == null || !(known.visible() || targets.isShown(resource, key))) {
      remove(resource, key);
    } else if (known.resource() instanceof Pool pool) {
      search.put(key, pool);
      rankings.poolWritten(key, false);
    } else if (known.resource() instanceof Token token) {
      search.put(key, token);
    }
  }

  private void remove(String resource, String key) {
    requireNonNull(states.get(resource)).remove(key);
    if (resource.equals("pool")) {
      search.removePool(key);
      rankings.poolWritten(key, true);
    } else if (resource.equals("token")) {
      search.removeToken(key);
    }
  }

  /** Forgets each resource with one of the given keys, if no target shows the resource and it is not visible. */
  private void forget(Set<String> keys) {
    for (var key : keys) {
      states.forEach((resource, known) -> {
        if (known.isHidden(key) && !targets.isShown(resource, key)) {
          remove(resource, key);
        }
      });
    }
  }
}

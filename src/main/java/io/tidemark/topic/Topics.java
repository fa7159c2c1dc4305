package io.tidemark.topic;

import io.tidemark.event.Alert;
import io.tidemark.event.Candle;
import io.tidemark.event.CoinDayChange;
import io.tidemark.event.CoinDayState;
import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractState;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.Derivatives;
import io.tidemark.event.DerivativesExchangeChange;
import io.tidemark.event.DerivativesExchangeState;
import io.tidemark.event.Dominance;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.GlobalState;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingState;
import io.tidemark.event.Launches;
import io.tidemark.event.Liquidity;
import io.tidemark.event.Movers;
import io.tidemark.event.PlatformChange;
import io.tidemark.event.PlatformState;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingState;
import io.tidemark.event.SourceSlot;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerState;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenState;
import io.tidemark.event.Treasuries;
import io.tidemark.event.TreasuryChange;
import io.tidemark.event.TreasuryState;
import io.tidemark.event.Trending;
import io.tidemark.event.Venues;
import io.tidemark.event.Watch;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * All topics of a source, under its prefix. Those of the whole cluster are constants.
 *
 * @param prefix first part of every name, with its dot: {@code tidemark.}
 */
public record Topics(String prefix, Retention retention) {

  /** Which slot of the cluster stands for which source: partition n is slot n. Of no source's prefix, and growing. */
  public static final Topic<SourceSlot> SOURCES =
      new Topic<>("tidemark-sources", SourceSlot.class, new CleanupPolicy.Compact());

  /** The resources that have candles, and the intervals of these. */
  private static final List<String> CANDLED = List.of("pool", "token", "ticker");

  private static final List<String> INTERVALS = List.of("1m", "5m", "1h", "1d");

  public Topics {
    if (!prefix.matches("[a-zA-Z0-9._-]{1,100}")) {
      throw new IllegalArgumentException(
          "prefix: 1 to 100 letters, digits, dots, dashes and underscores, not '" + prefix + "'");
    }
  }

  public ResourceTopics<PoolChange, PoolState> pool() {
    return resource("pool", PoolChange.class, PoolState.class);
  }

  public ResourceTopics<TokenChange, TokenState> token() {
    return resource("token", TokenChange.class, TokenState.class);
  }

  public ResourceTopics<RankingChange, RankingState> ranking() {
    return resource("ranking", RankingChange.class, RankingState.class);
  }

  public ResourceTopics<GlobalChange, GlobalState> global() {
    return resource("global", GlobalChange.class, GlobalState.class);
  }

  public ResourceTopics<CoinDayChange, CoinDayState> coinDay() {
    return resource("coin-day", CoinDayChange.class, CoinDayState.class);
  }

  public ResourceTopics<TickerChange, TickerState> ticker() {
    return resource("ticker", TickerChange.class, TickerState.class);
  }

  public ResourceTopics<DerivativesExchangeChange, DerivativesExchangeState> derivativesExchange() {
    return resource("derivatives-exchange", DerivativesExchangeChange.class, DerivativesExchangeState.class);
  }

  public ResourceTopics<ContractChange, ContractState> contract() {
    return resource("contract", ContractChange.class, ContractState.class);
  }

  public ResourceTopics<TreasuryChange, TreasuryState> treasury() {
    return resource("treasury", TreasuryChange.class, TreasuryState.class);
  }

  public ResourceTopics<HoldingChange, HoldingState> holding() {
    return resource("holding", HoldingChange.class, HoldingState.class);
  }

  public ResourceTopics<PlatformChange, PlatformState> platform() {
    return resource("platform", PlatformChange.class, PlatformState.class);
  }

  /** The newest look at each target, also an unchanged one. */
  public Topic<TargetState> targetState() {
    return compact("target.state", TargetState.class);
  }

  /** Ids of each page of a target; key {@code <target>#<page>}. */
  public Topic<TargetMembers> targetMembers() {
    return compact("target.members", TargetMembers.class);
  }

  /** Who writes the source, its budget and the ledger's clock. */
  public Topic<SourceState> sourceState() {
    return compact("source.state", SourceState.class);
  }

  /** What the command line asks for. */
  public Topic<Watch> watch() {
    return compact("watch", Watch.class);
  }

  /** Ticks, rule sets and silences, to every partition; written by the ledger alone. */
  public Topic<Control> control() {
    return delete("control", Control.class, retention.changes());
  }

  /** Pools that entered, left or moved in lists; key is the pool. */
  public Topic<PoolListing> poolListing() {
    return delete("pool.listing", PoolListing.class, retention.changes());
  }

  /**
   * Candles by the key of what they are of.
   *
   * @param resource pool, token or ticker
   * @param interval 1m, 5m, 1h or 1d
   */
  public Topic<Candle> candles(String resource, String interval) {
    return delete(resource + ".candles." + interval, Candle.class, retention.changes());
  }

  /** Who gains and loses, by network. */
  public Topic<Movers> movers() {
    return compact("movers", Movers.class);
  }

  /** New pools and what became of them, by network, exchange and hour. */
  public Topic<Launches> launches() {
    return compactAndDelete("launches", Launches.class);
  }

  /** Stays in trending lists, by pool. */
  public Topic<Trending> trending() {
    return compactAndDelete("trending", Trending.class);
  }

  /** Sums by network, and by network and exchange. */
  public Topic<Liquidity> liquidity() {
    return compact("liquidity", Liquidity.class);
  }

  /** One coin across markets and pools, by coin. */
  public Topic<Venues> venues() {
    return compact("venues", Venues.class);
  }

  /** Contracts across exchanges, by coin. */
  public Topic<Derivatives> derivatives() {
    return compact("derivatives", Derivatives.class);
  }

  /** What companies and governments hold, by coin. */
  public Topic<Treasuries> treasuries() {
    return compact("treasuries", Treasuries.class);
  }

  /** Share of the market, by symbol of the coin. */
  public Topic<Dominance> dominance() {
    return compact("dominance", Dominance.class);
  }

  public Topic<Alert> alerts() {
    return delete("alerts", Alert.class, retention.alerts());
  }

  /** The newest alert of each fingerprint. */
  public Topic<Alert> alertsState() {
    return compact("alerts.state", Alert.class);
  }

  /** Answers not understood; key is the target, the reason stands in a header too. */
  public Topic<DeadLetter> deadLetters() {
    return delete("dead-letters", DeadLetter.class, retention.deadLetters());
  }

  /** Those of the resources, in the order of the document. */
  public List<ResourceTopics<?, ?>> resources() {
    return List.of(
        pool(),
        token(),
        ranking(),
        global(),
        coinDay(),
        ticker(),
        derivativesExchange(),
        contract(),
        treasury(),
        holding(),
        platform());
  }

  /**
   * Topics of a resource by its name, such as {@code coin-day}.
   *
   * @throws IllegalArgumentException if there is no such resource
   */
  public ResourceTopics<?, ?> resource(String name) {
    return resources().stream()
        .filter(topics -> topics.resource().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no resource is named '" + name + "'"));
  }

  /** The name of one of this source's topics without the prefix, such as {@code pool.changes}. */
  public String shortName(Topic<?> topic) {
    return topic.name().substring(prefix.length());
  }

  /**
   * One of this source's topics by its name without prefix.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Topic<?> byShortName(String name) {
    return all().stream()
        .filter(topic -> shortName(topic).equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no topic is named '" + name + "'"));
  }

  /** What is in the topics that rules can be on, by their names without prefix: all that streams read or make. */
  public SequencedMap<String, Schema> ruleSchemas() {
    var states = resources().stream().map(ResourceTopics::state);
    var others = Stream.of(targetMembers(), watch(), control(), alerts(), alertsState(), deadLetters());
    var left = Stream.<Topic<?>>concat(states, others).collect(Collectors.toSet());
    var schemas = new LinkedHashMap<String, Schema>();
    all().stream().filter(topic -> !left.contains(topic))
        .forEach(topic -> schemas.put(shortName(topic), SpecificData.get().getSchema(topic.value())));
    return schemas;
  }

  /** Every topic of the source, watched or not. */
  public List<Topic<?>> all() {
    var resources = resources().stream().flatMap(each -> Stream.of(each.changes(), each.state()));
    return Stream.of(resources, others(), derived().stream()).<Topic<?>>flatMap(topics -> topics).toList();
  }

  /** Those that the stream application writes: aggregates and alerts. */
  public List<Topic<?>> derived() {
    var others = Stream.of(
        movers(), launches(), trending(), liquidity(), venues(), derivatives(), treasuries(), dominance(), alerts(),
        alertsState());
    return Stream.<Topic<?>>concat(others, allCandles()).toList();
  }

  private Stream<Topic<?>> others() {
    return Stream.of(
        targetState(),
        targetMembers(),
        sourceState(),
        watch(),
        control(),
        poolListing(),
        deadLetters());
  }

  private Stream<Topic<Candle>> allCandles() {
    return CANDLED.stream().flatMap(resource -> INTERVALS.stream().map(interval -> candles(resource, interval)));
  }

  private <C extends SpecificRecord, S extends SpecificRecord> ResourceTopics<C, S> resource(
      String name, Class<C> change, Class<S> state) {
    return new ResourceTopics<>(
        name, delete(name + ".changes", change, retention.changes()), compact(name + ".state", state));
  }

  private <V extends SpecificRecord> Topic<V> compact(String name, Class<V> value) {
    return new Topic<>(prefix + name, value, new CleanupPolicy.Compact());
  }

  private <V extends SpecificRecord> Topic<V> compactAndDelete(String name, Class<V> value) {
    return new Topic<>(prefix + name, value, new CleanupPolicy.CompactAndDelete(retention.changes()));
  }

  private <V extends SpecificRecord> Topic<V> delete(String name, Class<V> value, Duration retention) {
    return new Topic<>(prefix + name, value, new CleanupPolicy.Delete(retention));
  }
}

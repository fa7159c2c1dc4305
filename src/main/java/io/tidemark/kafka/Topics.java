package io.tidemark.kafka;

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
import io.tidemark.event.OpenCandles;
import io.tidemark.event.PlatformChange;
import io.tidemark.event.PlatformState;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.Price;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingState;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerState;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenState;
import io.tidemark.event.TokenVenues;
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
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * All topics of a source, whose names begin with the source's prefix.
 *
 * @param prefix first part of every topic name, including the dot, such as {@code tidemark.}
 */
public record Topics(String prefix, Retention retention) {

  public Topics {
    if (!prefix.matches("[a-zA-Z0-9._-]{1,100}")) {
      throw new IllegalArgumentException(
          "prefix: must be 1 to 100 letters, digits, dots, dashes and underscores, got '" + prefix + "'");
    }
  }

  public ResourceTopics<PoolChange, PoolState> pool() {
    return resource("pool", "a pool", PoolChange.class, PoolState.class, "`<network>_<address>`");
  }

  public ResourceTopics<TokenChange, TokenState> token() {
    return resource("token", "a token", TokenChange.class, TokenState.class, "`<network>_<address>`");
  }

  public ResourceTopics<RankingChange, RankingState> ranking() {
    return resource("ranking", "an ordered list of pools", RankingChange.class, RankingState.class,
        "the list: `<network>/trending/<duration>`, `<network>/new`, `<network>/dex/<dex>/<sort>`, "
            + "`<network>/token/<address>/<sort>`, `<network>/token/<address>/top`, `search/<network or *>/<query>`");
  }

  public ResourceTopics<GlobalChange, GlobalState> global() {
    return resource("global", "the global market", GlobalChange.class, GlobalState.class, "`global`");
  }

  public ResourceTopics<TickerChange, TickerState> ticker() {
    return resource("ticker", "a ticker of a coin", TickerChange.class, TickerState.class,
        "`<coin>/<market>/<base>/<target>`");
  }

  public ResourceTopics<ContractChange, ContractState> contract() {
    return resource("contract", "a derivatives contract", ContractChange.class, ContractState.class,
        "`<exchange>/<symbol>`");
  }

  public ResourceTopics<HoldingChange, HoldingState> holding() {
    return resource("holding", "a holding of a treasury", HoldingChange.class, HoldingState.class, "`<entity>/<coin>`");
  }

  /** Returns the topic of the newest snapshot of each target, whether or not the snapshot changed anything. */
  public Topic<TargetState> targetState() {
    return compact("target.state", TargetState.class, "The newest snapshot of each target", "the target");
  }

  public Topic<TargetMembers> targetMembers() {
    return compact("target.members", TargetMembers.class, "The ids on each page of a target", "`<target>#<page>`");
  }

  /** Returns the topic of the source's owner, budget, status and clock. */
  public Topic<SourceState> sourceState() {
    return compact("source.state", SourceState.class, "Owner, budget and status of the source", "the source");
  }

  /**
   * Returns the topic of commands, which are written by the command line, by the web server, and by the stream
   * application to put a rule out of force.
   */
  public Topic<Watch> watch() {
    return compact("watch", Watch.class, "Commands of the command line, such as targets that it added",
        "`<kind>/<name>`");
  }

  /**
   * Returns the topic of ticks, rule sets and silences. Each of these records is written to every partition. Only the
   * ledger writes to this topic.
   */
  public Topic<Control> control() {
    return delete("control", Control.class, "Ticks of the clock, rule sets and silences", retention.changes(),
        "none: every partition has the same records");
  }

  public Topic<PoolListing> poolListing() {
    return delete("pool.listing", PoolListing.class, "Pools that entered, exited or moved in lists",
        retention.changes(), "the pool");
  }

  /**
   * Returns the topic of answers and records that could not be read or processed. A header of each dead letter also
   * holds the reason.
   */
  public Topic<DeadLetter> deadLetters() {
    return delete("dead-letters", DeadLetter.class, "Answers and records that cannot be read, whole",
        retention.deadLetters(), "the target");
  }

  /** Returns the topic of closed candles of a resource that has prices: pool, token or ticker. */
  public Topic<Candle> candles(ResourceTopics<?, ?> resource, CandleInterval interval) {
    var changes = resource.changes();
    return delete(resource.resource() + ".candles." + interval.label(), Candle.class,
        "Closed candles of a " + resource.resource() + ", " + interval.label() + " each; none where nothing changed",
        retention.candles(), changes.key(), shortName(changes));
  }

  /** Returns the topic of those candles of a resource whose windows are still open. */
  public Topic<OpenCandles> openCandles(ResourceTopics<?, ?> resource) {
    var changes = resource.changes();
    return compact(resource.resource() + ".candles.open", OpenCandles.class,
        "Open candles of a " + resource.resource() + ", of all intervals", changes.key(), shortName(changes));
  }

  /** Returns the topic of all moves of prices, of pools, tokens and tickers, as flat records. */
  public Topic<Price> prices() {
    return delete("prices", Price.class, "Moves of prices of pools, tokens and tickers, flat for tables of SQL",
        retention.candles(), "the resource",
        priced().stream().map(each -> shortName(each.changes())).toArray(String[]::new));
  }

  public Topic<Alert> alerts() {
    return delete("alerts", Alert.class, "Alerts: each transition of an instance", retention.alerts(),
        "the resource it is about");
  }

  /**
   * Returns the topic of the newest transition of each alert instance. The key of a record is the fingerprint of the
   * alert instance.
   */
  public Topic<Alert> alertsState() {
    return compact("alerts.state", Alert.class, "The newest transition of each alert instance",
        "the alert's fingerprint");
  }

  /** Returns the topics of all kinds of resources, in the order in which the interface document describes them. */
  public List<ResourceTopics<?, ?>> resources() {
    return List.of(pool(), token(), ranking(), global(),
        resource("coin-day", "a day of a coin", CoinDayChange.class, CoinDayState.class, "`<coin>/<yyyy-mm-dd>`"),
        ticker(),
        resource("derivatives-exchange", "a derivatives exchange", DerivativesExchangeChange.class,
            DerivativesExchangeState.class, "the exchange"),
        contract(),
        resource("treasury", "a public treasury", TreasuryChange.class, TreasuryState.class, "the entity"),
        holding(),
        resource("platform", "an asset platform", PlatformChange.class, PlatformState.class,
            "its id; `name:<name>` where that is empty or null"));
  }

  /** Returns the topics of the resources that have candles. */
  public List<ResourceTopics<?, ?>> priced() {
    return List.of(pool(), token(), ticker());
  }

  /**
   * Returns the topics that the stream application derives from changes and pool listings: closed candles and the
   * other aggregates.
   */
  public List<Topic<?>> aggregates() {
    var candles = priced().stream()
        .flatMap(resource -> Stream.of(CandleInterval.values()).map(interval -> candles(resource, interval)));
    return Stream.<Topic<?>>concat(Stream.of(
        compact("movers", Movers.class, "The pools of a network that rose and fell most", "the network",
            "pool.changes"),
        compactAndDelete("launches", Launches.class, "Pools created in an hour, and what became of them",
            "`<network>/<exchange>/<hour>`", "pool.changes"),
        compactAndDelete("trending", Trending.class, "Pools that are, or lately were, trending", "the pool",
            "pool.listing"),
        compact("liquidity", Liquidity.class, "Liquidity and volume of a network, and of its exchanges",
            "`<network>`, and `<network>/<exchange>`", "pool.changes"),
        compact("venues", Venues.class, "Prices of a coin on markets and in pools", "the coin", "ticker.changes",
            "token.changes"),
        compact("token-venues", TokenVenues.class, "Prices of a token in its pools", "the token", "pool.changes"),
        compact("derivatives", Derivatives.class, "Derivatives of a coin on all exchanges",
            "the coin; the contracts' base where the service names none",
            "contract.changes"),
        compact("treasuries", Treasuries.class, "Holdings of companies and governments in a coin", "the coin",
            "holding.changes"),
        compact("dominance", Dominance.class, "The share of a coin in the market", "the coin's symbol",
            "global.changes")),
        candles).toList();
  }

  /**
   * Returns the topics that only the stream application writes: aggregates, open candles, prices and alerts. It also
   * writes to {@link #watch} and {@link #deadLetters}.
   */
  public List<Topic<?>> derived() {
    var open = priced().stream().<Topic<?>>map(this::openCandles);
    return Stream.of(aggregates().stream(), open, Stream.of(prices(), alerts(), alertsState()))
        .<Topic<?>>flatMap(topics -> topics)
        .toList();
  }

  /**
   * Returns every topic of the source, including the topics of resources that are not watched, but not the internal
   * topics of the stream application.
   */
  public List<Topic<?>> all() {
    var resources = resources().stream().flatMap(each -> Stream.of(each.changes(), each.state()));
    var others = Stream.of(targetState(), targetMembers(), sourceState(), watch(), control(), poolListing(),
        deadLetters());
    return Stream.of(resources, others, derived().stream()).<Topic<?>>flatMap(topics -> topics).toList();
  }

  /**
   * Returns the schemas of the topics to which rules can apply, by topic name without prefix. These are the topics
   * that the stream application reads, except {@link #control}, its {@link #aggregates}, and {@link #alerts}.
   */
  public SequencedMap<String, Schema> ruleSchemas() {
    var changes = resources().stream().map(ResourceTopics::changes);
    var others = Stream.of(targetState(), sourceState(), poolListing());
    var schemas = new LinkedHashMap<String, Schema>();
    Stream.of(changes, others, aggregates().stream(), Stream.<Topic<?>>of(alerts())).<Topic<?>>flatMap(topics -> topics)
        .forEach(topic -> schemas.put(shortName(topic), topic.schema()));
    return schemas;
  }

  /**
   * Returns the topics of a resource by its name, such as {@code coin-day}.
   *
   * @throws IllegalArgumentException if no resource has this name
   */
  public ResourceTopics<?, ?> resource(String name) {
    return resources().stream()
        .filter(topics -> topics.resource().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no resource has the name '" + name + "'"));
  }

  /** Returns the name of one of this source's topics without the prefix, such as {@code pool.changes}. */
  public String shortName(Topic<?> topic) {
    return topic.name().substring(prefix.length());
  }

  /**
   * Returns one of this source's topics by its name without the prefix.
   *
   * @throws IllegalArgumentException if no topic has this name
   */
  public Topic<?> byShortName(String name) {
    return all().stream()
        .filter(topic -> shortName(topic).equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no topic has the name '" + name + "'"));
  }

  /** @param noun noun for the resource, with its article, such as {@code a pool} */
  private <C extends SpecificRecord, S extends SpecificRecord> ResourceTopics<C, S> resource(
      String name, String noun, Class<C> change, Class<S> state, String key) {
    return new ResourceTopics<>(name,
        delete(name + ".changes", change, "What a snapshot changed of " + noun, retention.changes(), key),
        compact(name + ".state", state, "The newest known state of " + noun, key));
  }

  private <V extends SpecificRecord> Topic<V> compact(
      String name, Class<V> value, String purpose, String key, String... madeOf) {
    return new Topic<>(prefix + name, value, CleanupPolicy.COMPACT, purpose, key, List.of(madeOf));
  }

  private <V extends SpecificRecord> Topic<V> compactAndDelete(
      String name, Class<V> value, String purpose, String key, String... madeOf) {
    var cleanup = new CleanupPolicy(true, retention.changes());
    return new Topic<>(prefix + name, value, cleanup, purpose, key, List.of(madeOf));
  }

  private <V extends SpecificRecord> Topic<V> delete(
      String name, Class<V> value, String purpose, Duration retention, String key, String... madeOf) {
    return new Topic<>(prefix + name, value, new CleanupPolicy(false, retention), purpose, key, List.of(madeOf));
  }
}

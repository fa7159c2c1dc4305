package io.tidemark.change;

import io.tidemark.event.CoinDay;
import io.tidemark.event.CoinDayChange;
import io.tidemark.event.CoinDayState;
import io.tidemark.event.Contract;
import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractState;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.DerivativesExchangeChange;
import io.tidemark.event.DerivativesExchangeState;
import io.tidemark.event.EventClasses;
import io.tidemark.event.Global;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.GlobalState;
import io.tidemark.event.Holding;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingState;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformChange;
import io.tidemark.event.PlatformState;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingState;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerChange;
import io.tidemark.event.TickerState;
import io.tidemark.event.Token;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenState;
import io.tidemark.event.Treasury;
import io.tidemark.event.TreasuryChange;
import io.tidemark.event.TreasuryState;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;

/**
 * One kind of resource: how its records (the resource, its change, its state) hang together. The facets are the
 * nullable records of the resource; each has its change under the same name in the change.
 */
public final class ResourceKind {
  static {
    EventClasses.trust();
  }

  static final ResourceKind POOL = of(Pool.class, PoolChange.class, PoolState.class, Pool::getId);
  static final ResourceKind TOKEN = of(Token.class, TokenChange.class, TokenState.class, Token::getId);
  static final ResourceKind RANKING = of(Ranking.class, RankingChange.class, RankingState.class, Ranking::getId);
  static final ResourceKind GLOBAL = of(Global.class, GlobalChange.class, GlobalState.class, any -> "global");
  static final ResourceKind COIN_DAY =
      of(CoinDay.class, CoinDayChange.class, CoinDayState.class, day -> ResourceKeys.of(day.getCoin(), day.getDate()));
  static final ResourceKind TICKER = of(Ticker.class, TickerChange.class, TickerState.class, ResourceKeys::of);
  static final ResourceKind DERIVATIVES_EXCHANGE =
      of(
          DerivativesExchange.class,
          DerivativesExchangeChange.class,
          DerivativesExchangeState.class,
          DerivativesExchange::getId);
  static final ResourceKind CONTRACT =
      of(
          Contract.class,
          ContractChange.class,
          ContractState.class,
          contract -> ResourceKeys.of(contract.getExchange(), contract.getSymbol()));
  static final ResourceKind TREASURY = of(Treasury.class, TreasuryChange.class, TreasuryState.class, Treasury::getId);
  static final ResourceKind HOLDING =
      of(
          Holding.class,
          HoldingChange.class,
          HoldingState.class,
          holding -> ResourceKeys.of(holding.getEntity(), holding.getCoinId()));
  static final ResourceKind PLATFORM = of(Platform.class, PlatformChange.class, PlatformState.class, Platform::getKey);

  private static final Map<String, ResourceKind> ALL =
      List.of(
          POOL,
          TOKEN,
          RANKING,
          GLOBAL,
          COIN_DAY,
          TICKER,
          DERIVATIVES_EXCHANGE,
          CONTRACT,
          TREASURY,
          HOLDING,
          PLATFORM)
          .stream()
          .collect(Collectors.toUnmodifiableMap(ResourceKind::name, kind -> kind));

  private final String name;
  private final Schema resource;
  private final Schema change;
  private final Schema state;
  private final Function<IndexedRecord, String> key;
  private final List<FacetRow> facets;

  private ResourceKind(Schema resource, Schema change, Schema state, Function<IndexedRecord, String> key) {
    this.name = resource.getProp("resource");
    this.resource = resource;
    this.change = change;
    this.state = state;
    this.key = key;
    this.facets =
        resource.getFields().stream()
            .filter(field -> nonNull(field.schema()).getType() == Schema.Type.RECORD)
            .map(field -> FacetRow.of(field, change))
            .toList();
  }

  private static <R extends IndexedRecord> ResourceKind of(
      Class<R> resource, Class<?> change, Class<?> state, Function<R, String> key) {
    return new ResourceKind(schema(resource), schema(change), schema(state),
        record -> key.apply(resource.cast(record)));
  }

  private static Schema schema(Class<?> type) {
    return SpecificData.get().getSchema(type);
  }

  /** The kind of that name. */
  public static ResourceKind named(String name) {
    ResourceKind kind = ALL.get(name);
    if (kind == null) {
      throw new IllegalArgumentException("No resource is called " + name);
    }
    return kind;
  }

  /** {@code pool}, {@code coin-day}, ...: the first word of its topics. */
  public String name() {
    return name;
  }

  /** Key of the resource's records. */
  String key(IndexedRecord record) {
    return key.apply(record);
  }

  FacetRow facet(String facet) {
    return facets.stream().filter(each -> each.name().equals(facet)).findFirst().orElseThrow();
  }

  List<FacetRow> facets() {
    return facets;
  }

  Schema resource() {
    return resource;
  }

  Schema change() {
    return change;
  }

  Schema state() {
    return state;
  }

  /** The other branch of a union with null; the schema itself where it is none. */
  static Schema nonNull(Schema schema) {
    return schema.getType() != Schema.Type.UNION
        ? schema
        : schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow();
  }
}

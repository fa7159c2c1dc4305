package io.tidemark.change;

import io.tidemark.event.ChangeView;
import io.tidemark.event.CoinDay;
import io.tidemark.event.CoinDayChange;
import io.tidemark.event.Contract;
import io.tidemark.event.ContractChange;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.DerivativesExchangeChange;
import io.tidemark.event.FacetView;
import io.tidemark.event.Global;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.Holding;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformChange;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingChange;
import io.tidemark.event.StateView;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerChange;
import io.tidemark.event.Token;
import io.tidemark.event.TokenChange;
import io.tidemark.event.Treasury;
import io.tidemark.event.TreasuryChange;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The table of resources, one row a kind: its records, its key, its own times, who shows it, how it is removed. */
enum ResourceKind {
  POOL(row(PoolChange.class, Pool.class, Pool::getId)
      .subjectOf(Operation.POOL)
      .listedBy(
          Operation.TOKEN,
          Operation.DEX_POOLS,
          Operation.TRENDING_POOLS,
          Operation.NEW_POOLS,
          Operation.SEARCH_POOLS,
          Operation.TOKEN_POOLS,
          Operation.POOL)
      .created(pool -> pool.getDescription() == null ? null : iso(pool.getDescription().getPoolCreatedAt()))),
  TOKEN(row(TokenChange.class, Token.class, Token::getId).subjectOf(Operation.TOKEN)),
  RANKING(row(RankingChange.class, Ranking.class, Ranking::getId).alwaysVisible()),
  GLOBAL(row(GlobalChange.class, Global.class, any -> "global")
      .listedBy(Operation.GLOBAL)
      .dated(global -> global.getTimes() == null ? null : unixSeconds(global.getTimes().getUpdatedAt()))),
  COIN_DAY(row(CoinDayChange.class, CoinDay.class, day -> ResourceKeys.of(day.getCoin(), day.getDate()))
      .listedBy(Operation.COIN_HISTORY)
      .created(day -> availableAt(day.getDate()))
      .alwaysVisible()),
  TICKER(row(
      TickerChange.class,
      Ticker.class,
      ticker -> ResourceKeys.of(ticker.getCoin(), ticker.getMarket(), ticker.getBase(), ticker.getTarget()))
      .listedBy(Operation.COIN_TICKERS)
      .dated(ticker -> ticker.getTimes() == null ? null : iso(ticker.getTimes().getLastFetchAt()))
      .complete()
      .removed((ticker, query) -> "delisted")),
  DERIVATIVES_EXCHANGE(row(DerivativesExchangeChange.class, DerivativesExchange.class, DerivativesExchange::getId)
      .subjectOf(Operation.DERIVATIVES_EXCHANGE)),
  CONTRACT(row(
      ContractChange.class,
      Contract.class,
      contract -> ResourceKeys.of(contract.getExchange(), contract.getSymbol()))
      .listedBy(Operation.DERIVATIVES_EXCHANGE)
      .dated(contract -> contract.getTimes() == null ? null : unixSeconds(contract.getTimes().getLastTraded()))
      .complete()
      .removed((contract, query) -> isDated(contract) || listsUnexpired(query) ? "expired" : "absent")),
  TREASURY(row(TreasuryChange.class, Treasury.class, Treasury::getId).subjectOf(Operation.TREASURY)),
  HOLDING(row(
      HoldingChange.class,
      Holding.class,
      holding -> ResourceKeys.of(holding.getEntity(), holding.getCoinId()))
      .listedBy(Operation.TREASURY)
      .complete()
      .removed((holding, query) -> "closed")),
  PLATFORM(row(PlatformChange.class, Platform.class, Platform::getKey)
      .listedBy(Operation.ASSET_PLATFORMS)
      .complete()
      .removed((platform, query) -> "absent"));

  private static final Map<String, ResourceKind> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(ResourceKind::resource, Function.identity()));

  private final Row<?> row;

  ResourceKind(Row<?> row) {
    this.row = row;
  }

  static ResourceKind named(String resource) {
    return Objects.requireNonNull(BY_NAME.get(resource), resource);
  }

  /** The kind of the resource that an operation asks for by name; null where it asks for none. */
  static @Nullable ResourceKind subjectOf(Operation operation) {
    return Arrays.stream(values()).filter(kind -> kind.row.subjectOf.contains(operation)).findFirst().orElse(null);
  }

  /** The kind of the resources that an operation lists; where it lists none, that of the one resource it shows. */
  static ResourceKind listedBy(Operation operation) {
    return Arrays.stream(values()).filter(kind -> kind.row.listedBy.contains(operation)).findFirst().orElseThrow();
  }

  /** {@code pool}, {@code coin-day}, ...: the first word of its topics. */
  String resource() {
    return row.changes.resource();
  }

  ChangeView changes() {
    return row.changes;
  }

  StateView states() {
    return row.changes.state();
  }

  List<FacetView> facets() {
    return row.changes.facets();
  }

  FacetView facet(String name) {
    return Objects.requireNonNull(row.changes.facet(name), name);
  }

  /** Key of the resource's records. */
  String key(IndexedRecord resource) {
    return row.key(resource);
  }

  /** When the resource came into being, by its own attributes; null where they do not say. */
  @Nullable
  Instant createdAt(IndexedRecord resource) {
    return row.createdAt(resource);
  }

  /** Whether resources of the kind carry a time of their own by which observations are older or newer. */
  boolean isDated() {
    return row.dated != null;
  }

  /** The resource's own time; null where it has none. */
  @Nullable
  Instant ownTime(IndexedRecord resource) {
    return row.ownTime(resource);
  }

  /** Whether an answer shows all resources of the kind that there are: what it lacks was not there, or is removed. */
  boolean isComplete() {
    return row.complete;
  }

  /** Whether the resource stays visible however long ago it was shown. */
  boolean isAlwaysVisible() {
    return row.alwaysVisible;
  }

  /** Why a resource that an answer to the query lacks is removed. */
  String removalReason(IndexedRecord resource, Query<?> query) {
    return row.removalReason(resource, query);
  }

  /** A day of a coin is available 35 minutes after it is over. */
  private static Instant availableAt(String date) {
    return LocalDate.parse(date).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().plus(Duration.ofMinutes(35));
  }

  private static boolean isDated(Contract contract) {
    var description = contract.getDescription();
    return description != null
        && (description.getExpiredAt() != null
            || (description.getContractType() != null && !"perpetual".equals(description.getContractType())));
  }

  private static boolean listsUnexpired(Query<?> query) {
    return query instanceof Query.DerivativesExchangeById exchange
        && exchange.includeTickers() == IncludeTickers.UNEXPIRED;
  }

  /** Unix time in seconds; null where no calendar has it. */
  private static @Nullable Instant unixSeconds(@Nullable Long seconds) {
    return seconds != null && seconds > 0 && seconds < 100_000_000_000L ? Instant.ofEpochSecond(seconds) : null;
  }

  /** ISO 8601 with an offset or Z; null where the text is none. */
  private static @Nullable Instant iso(@Nullable String text) {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static <R extends SpecificRecord> Row<R> row(
      Class<? extends SpecificRecord> change, Class<R> type, Function<R, String> key) {
    return new Row<>(ChangeView.of(change), type, key);
  }

  /** The columns of a kind. */
  private static final class Row<R extends SpecificRecord> {
    private final ChangeView changes;
    private final Class<R> type;
    private final Function<R, String> key;
    private final Set<Operation> subjectOf = EnumSet.noneOf(Operation.class);
    private final Set<Operation> listedBy = EnumSet.noneOf(Operation.class);
    private Function<R, @Nullable Instant> created = resource -> null;
    private @Nullable Function<R, @Nullable Instant> dated;
    private boolean complete;
    private boolean alwaysVisible;
    private BiFunction<R, Query<?>, String> removed = (resource, query) -> "not_found";

    Row(ChangeView changes, Class<R> type, Function<R, String> key) {
      this.changes = changes;
      this.type = type;
      this.key = key;
    }

    Row<R> subjectOf(Operation operation) {
      subjectOf.add(operation);
      return this;
    }

    Row<R> listedBy(Operation... operations) {
      listedBy.addAll(List.of(operations));
      return this;
    }

    Row<R> created(Function<R, @Nullable Instant> time) {
      created = time;
      return this;
    }

    Row<R> dated(Function<R, @Nullable Instant> time) {
      dated = time;
      return this;
    }

    Row<R> complete() {
      complete = true;
      return this;
    }

    Row<R> alwaysVisible() {
      alwaysVisible = true;
      return this;
    }

    Row<R> removed(BiFunction<R, Query<?>, String> reason) {
      removed = reason;
      return this;
    }

    String key(IndexedRecord resource) {
      return key.apply(type.cast(resource));
    }

    @Nullable
    Instant createdAt(IndexedRecord resource) {
      return created.apply(type.cast(resource));
    }

    @Nullable
    Instant ownTime(IndexedRecord resource) {
      return dated == null ? null : dated.apply(type.cast(resource));
    }

    String removalReason(IndexedRecord resource, Query<?> query) {
      return removed.apply(type.cast(resource), query);
    }
  }
}

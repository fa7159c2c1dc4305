package io.tidemark.capture.change;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Contract;
import io.tidemark.event.FacetView;
import io.tidemark.event.IsoTime;
import io.tidemark.event.StateView;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.ResourceKeys;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resource. Each kind is a row of a table: the attributes that form the key, the attributes with the
 * resource's own times, the operations that show the resource, and the reason for its removal.
 */
enum ResourceKind {
  POOL("pool", "id"),
  TOKEN("token", "id"),
  RANKING("ranking", "id"),
  GLOBAL("global", List.of(), "times.updated_at", List.of(), null),
  COIN_DAY("coin-day", "coin", "date"),
  TICKER("ticker", List.of("coin", "market", "base", "target"), "times.last_fetch_at",
      List.of("times.last_traded_at", "volume.volume"), "delisted"),
  DERIVATIVES_EXCHANGE("derivatives-exchange", "id"),
  CONTRACT("contract", List.of("exchange", "symbol"), "times.last_traded",
      List.of("times.last_traded", "day.h24_volume"), "absent"),
  TREASURY("treasury", "id"),
  HOLDING("holding", List.of("entity", "coin_id"), null, List.of("valuation.current_value_usd"), "closed"),
  PLATFORM("platform", List.of("key"), null, List.of(), "absent");

  @SuppressWarnings("ImmutableEnumChecker") // a view is not changed once it is made
  private final ChangeView changes;
  private final List<String> key;
  private final @Nullable String dated;
  private final List<String> preference;
  private final @Nullable String removed;

  ResourceKind(String resource, String... key) {
    this(resource, List.of(key), null, List.of(), null);
  }

  /**
   * Attributes are given as paths in the resource.
   *
   * @param dated attribute with the resource's own time; null if it has none
   * @param removed reason for removing a resource that an answer lacks; null if no answer lists all resources of the
   *     kind
   */
  ResourceKind(String resource, List<String> key, @Nullable String dated, List<String> preference,
      @Nullable String removed) {
    this.changes = ChangeView.ofResource(resource);
    this.key = key;
    this.dated = dated;
    this.preference = preference;
    this.removed = removed;
  }

  static ResourceKind named(String resource) {
    return valueOf(resource.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /**
   * Returns the kind of the one resource that an operation asks for by name, or null if there is none. A coin's day
   * does not count as asked for by name.
   */
  static @Nullable ResourceKind subjectOf(Operation operation) {
    return switch (operation) {
      case POOL -> POOL;
      case TOKEN -> TOKEN;
      case DERIVATIVES_EXCHANGE -> DERIVATIVES_EXCHANGE;
      case TREASURY -> TREASURY;
      default -> null;
    };
  }

  /**
   * Returns the kind of the resources that an operation lists or, if the operation has no list, of the resource that it
   * shows.
   */
  static ResourceKind listedBy(Operation operation) {
    return switch (operation) {
      case POOL, TOKEN, DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS -> POOL;
      case GLOBAL -> GLOBAL;
      case COIN_HISTORY -> COIN_DAY;
      case COIN_TICKERS -> TICKER;
      case DERIVATIVES_EXCHANGE -> CONTRACT;
      case TREASURY -> HOLDING;
      case ASSET_PLATFORMS -> PLATFORM;
    };
  }

  /** Returns the first word in the names of the kind's topics, such as {@code pool} or {@code coin-day}. */
  String resource() {
    return changes.resource();
  }

  ChangeView changes() {
    return changes;
  }

  StateView states() {
    return changes.state();
  }

  List<FacetView> facets() {
    return changes.facets();
  }

  FacetView facet(String name) {
    return facets().stream().filter(facet -> facet.name().equals(name)).findFirst().orElseThrow();
  }

  /** Returns the key of a resource's records. For a kind with only one resource, the key is the name of the kind. */
  String key(IndexedRecord resource) {
    if (key.size() == 1) {
      return String.valueOf(AvroRecords.at(resource, key.getFirst()));
    }
    var parts = key.stream().map(name -> String.valueOf(AvroRecords.at(resource, name))).toArray(String[]::new);
    return parts.length == 0 ? resource() : ResourceKeys.of(parts);
  }

  /**
   * Returns the time at which a resource was created, read from its attributes, or null if not known. For a coin's day,
   * returns the time at which the day becomes available.
   */
  @Nullable
  Instant createdAt(IndexedRecord resource) {
    return switch (this) {
      case POOL -> instant(AvroRecords.at(resource, "description.pool_created_at"));
      case COIN_DAY ->
          AvroRecords.at(resource, "date") instanceof String day ? availableAt(LocalDate.parse(day)) : null;
      default -> null;
    };
  }

  /**
   * Returns the paths of the attributes that decide which of several rows with the same key, equally near to the
   * known values, is chosen, in order of precedence. The row with the largest value is chosen. The attributes are
   * usually the time of the newest trade and the volume.
   */
  List<String> preference() {
    return preference;
  }

  /**
   * Converts a number, a decimal or a time to a number, so that values of one attribute can be compared. Returns minus
   * infinity for any other value.
   */
  static double figure(@Nullable Object value) {
    var time = value instanceof String ? instant(value) : null;
    try {
      return switch (value) {
        case Number number -> number.doubleValue();
        case String text -> time != null ? time.getEpochSecond() : Double.parseDouble(text);
        case null, default -> Double.NEGATIVE_INFINITY;
      };
    } catch (NumberFormatException e) {
      return Double.NEGATIVE_INFINITY;
    }
  }

  /** Returns whether resources of the kind have their own time, which decides which of two observations is newer. */
  boolean isDated() {
    return dated != null;
  }

  /** Returns the time that a resource's own attributes contain, or null if they contain none. */
  @Nullable
  Instant ownTime(IndexedRecord resource) {
    return dated == null ? null : instant(AvroRecords.at(resource, dated));
  }

  /**
   * Returns whether an answer can list all existing resources of the kind, or all that belong to its coin, exchange
   * or entity, so that a resource that the answer lacks is absent or removed.
   */
  boolean isComplete() {
    return removed != null;
  }

  /** Returns whether resources of the kind stay visible, however long ago they were last shown. */
  boolean isAlwaysVisible() {
    return this == RANKING || this == COIN_DAY;
  }

  /** Returns the reason for which a resource that is missing from an answer to the query is removed. */
  String removalReason(IndexedRecord resource, Query<?> query) {
    if (resource instanceof Contract contract && (isDated(contract) || listsUnexpired(query))) {
      return "expired";
    }
    return removed == null ? "not_found" : removed;
  }

  /** Returns the time at which a coin's day is available from the service: 35 minutes after the end of the day. */
  private static Instant availableAt(LocalDate day) {
    return day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().plus(Duration.ofMinutes(35));
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

  /** Parses a Unix time in seconds, or a time that {@link IsoTime} parses. Returns null for any other value. */
  private static @Nullable Instant instant(@Nullable Object time) {
    return switch (time) {
      case Long seconds -> seconds > 0 && seconds < 100_000_000_000L ? Instant.ofEpochSecond(seconds) : null;
      case String text -> IsoTime.parse(text);
      case null, default -> null;
    };
  }
}

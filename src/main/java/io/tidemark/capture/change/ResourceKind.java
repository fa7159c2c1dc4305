package io.tidemark.capture.change;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Contract;
import io.tidemark.event.FacetView;
import io.tidemark.event.StateView;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.ResourceKeys;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resource. Each kind is a row of a table: the attributes that form the key, the attributes with the
 * resource's own times, the operations that show the resource, and the reason for its removal.
 */
enum ResourceKind {
  POOL(row("pool").key("id").subjectOf(Operation.POOL).created("description.pool_created_at")
      .listedBy(Operation.POOL, Operation.TOKEN, Operation.DEX_POOLS, Operation.TRENDING_POOLS, Operation.NEW_POOLS,
          Operation.SEARCH_POOLS, Operation.TOKEN_POOLS)),
  TOKEN(row("token").key("id").subjectOf(Operation.TOKEN)),
  RANKING(row("ranking").key("id").alwaysVisible()),
  GLOBAL(row("global").listedBy(Operation.GLOBAL).dated("times.updated_at")),
  COIN_DAY(row("coin-day").key("coin", "date").listedBy(Operation.COIN_HISTORY).created("date").alwaysVisible()),
  TICKER(row("ticker").key("coin", "market", "base", "target").listedBy(Operation.COIN_TICKERS)
      .dated("times.last_fetch_at").preferred("times.last_traded_at", "volume.volume").complete("delisted")),
  DERIVATIVES_EXCHANGE(row("derivatives-exchange").key("id").subjectOf(Operation.DERIVATIVES_EXCHANGE)),
  CONTRACT(row("contract").key("exchange", "symbol").listedBy(Operation.DERIVATIVES_EXCHANGE)
      .dated("times.last_traded").preferred("times.last_traded", "day.h24_volume").complete("absent")),
  TREASURY(row("treasury").key("id").subjectOf(Operation.TREASURY)),
  HOLDING(row("holding").key("entity", "coin_id").listedBy(Operation.TREASURY)
      .preferred("valuation.current_value_usd").complete("closed")),
  PLATFORM(row("platform").key("key").listedBy(Operation.ASSET_PLATFORMS).complete("absent"));

  @SuppressWarnings("ImmutableEnumChecker") // a row is not changed once its kind is made
  private final KindRow row;

  private static final List<ResourceKind> KINDS = List.of(values());

  ResourceKind(KindRow row) {
    this.row = row;
  }

  static ResourceKind named(String resource) {
    for (var kind : KINDS) {
      if (kind.resource().equals(resource)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no kind of resource is called " + resource);
  }

  /**
   * Returns the kind of the one resource that an operation asks for by name, or null if there is none. A coin's day
   * does not count as asked for by name.
   */
  static @Nullable ResourceKind subjectOf(Operation operation) {
    for (var kind : KINDS) {
      if (kind.row.subjectOf.contains(operation)) {
        return kind;
      }
    }
    return null;
  }

  /**
   * Returns the kind of the resources that an operation lists or, if the operation has no list, of the resource that it
   * shows.
   */
  static ResourceKind listedBy(Operation operation) {
    for (var kind : KINDS) {
      if (kind.row.listedBy.contains(operation)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(operation + " lists no kind of resource");
  }

  /** Returns the first word in the names of the kind's topics, such as {@code pool} or {@code coin-day}. */
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
    return facets().stream().filter(facet -> facet.name().equals(name)).findFirst().orElseThrow();
  }

  /** Returns the key of a resource's records. For a kind with only one resource, the key is the name of the kind. */
  String key(IndexedRecord resource) {
    if (row.key.size() == 1) {
      return String.valueOf(AvroRecords.at(resource, row.key.getFirst()));
    }
    var parts = row.key.stream().map(name -> String.valueOf(AvroRecords.at(resource, name))).toArray(String[]::new);
    return parts.length == 0 ? resource() : ResourceKeys.of(parts);
  }

  /**
   * Returns the time at which a resource was created, read from its attributes, or null if not known. For a coin's day,
   * returns the time at which the day becomes available.
   */
  @Nullable
  Instant createdAt(IndexedRecord resource) {
    var time = row.created == null ? null : AvroRecords.at(resource, row.created);
    return this == COIN_DAY && time != null ? availableAt(LocalDate.parse((String) time)) : instant(time);
  }

  /**
   * Returns the paths of the attributes that decide which of several rows with the same key, equally near to the
   * known values, is chosen, in order of precedence. The row with the largest value is chosen. The attributes are
   * usually the time of the newest trade and the volume.
   */
  List<String> preference() {
    return row.preference;
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
    return row.dated != null;
  }

  /** Returns the time that a resource's own attributes contain, or null if they contain none. */
  @Nullable
  Instant ownTime(IndexedRecord resource) {
    return row.dated == null ? null : instant(AvroRecords.at(resource, row.dated));
  }

  /**
   * Returns whether an answer can list all existing resources of the kind, or all that belong to its coin, exchange
   * or entity, so that a resource that the answer lacks is absent or removed.
   */
  boolean isComplete() {
    return row.removed != null;
  }

  /** Returns whether resources of the kind stay visible, however long ago they were last shown. */
  boolean isAlwaysVisible() {
    return row.alwaysVisible;
  }

  /** Returns the reason for which a resource that is missing from an answer to the query is removed. */
  String removalReason(IndexedRecord resource, Query<?> query) {
    if (resource instanceof Contract contract && (isDated(contract) || listsUnexpired(query))) {
      return "expired";
    }
    return row.removed == null ? "not_found" : row.removed;
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

  /** Parses a Unix time in seconds, or an ISO 8601 time with an offset or Z. Returns null for any other value. */
  private static @Nullable Instant instant(@Nullable Object time) {
    try {
      return switch (time) {
        case Long seconds -> seconds > 0 && seconds < 100_000_000_000L ? Instant.ofEpochSecond(seconds) : null;
        case String text -> OffsetDateTime.parse(text).toInstant();
        case null, default -> null;
      };
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static KindRow row(String resource) {
    return new KindRow(ChangeView.ofResource(resource));
  }

  /** The row of a kind in the table. Attributes are given as paths in the resource. */
  private static final class KindRow {
    private final ChangeView changes;
    private List<String> key = List.of();
    private final Set<Operation> subjectOf = EnumSet.noneOf(Operation.class);
    private final Set<Operation> listedBy = EnumSet.noneOf(Operation.class);
    private @Nullable String created;
    private @Nullable String dated;
    private List<String> preference = List.of();
    private @Nullable String removed;
    private boolean alwaysVisible;

    KindRow(ChangeView changes) {
      this.changes = changes;
    }

    KindRow key(String... attributes) {
      key = List.of(attributes);
      return this;
    }

    KindRow subjectOf(Operation operation) {
      subjectOf.add(operation);
      return this;
    }

    KindRow listedBy(Operation... operations) {
      listedBy.addAll(List.of(operations));
      return this;
    }

    KindRow created(String attribute) {
      created = attribute;
      return this;
    }

    KindRow dated(String attribute) {
      dated = attribute;
      return this;
    }

    KindRow preferred(String... attributes) {
      preference = List.of(attributes);
      return this;
    }

    /**
     * Declares that an answer lists all resources of the kind, and gives the reason for removing a missing resource.
     */
    KindRow complete(String reason) {
      removed = reason;
      return this;
    }

    KindRow alwaysVisible() {
      alwaysVisible = true;
      return this;
    }
  }
}

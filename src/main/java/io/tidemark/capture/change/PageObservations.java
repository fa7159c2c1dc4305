package io.tidemark.capture.change;

import io.tidemark.capture.change.ValueLimits.CutValue;
import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import io.tidemark.event.FacetView;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.event.Token;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.PlatformFilter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The observations of resources that one page of a target shows.
 *
 * @param members keys of the resources that the page shows, in order: the resource that the target asks for by name,
 *     if any, then the resources of its list
 * @param included keys of the accepted tokens that the answer includes as related resources
 * @param listed ids of the accepted pools in the page's list, in order; null if the page has no list of pools
 * @param whole whether the page is complete enough to prove an absence: the requested list of holdings or contracts
 *     is present (it may be empty), no list has more resources than are accepted, and each list with rows has at
 *     least one accepted row
 * @param refused number of resources that were not accepted, by kind and reason
 */
record PageObservations(List<ResourceObservation> observations, List<String> members, List<String> included,
    @Nullable List<String> listed, boolean whole, Map<RefusedResources, Long> refused) {

  record RefusedResources(ResourceKind kind, String reason) {
    /** A text attribute in the resource's identity is missing, blank or not a text. */
    static final String IDENTITY_MISSING = "identity_missing";

    static final String IDENTITY_TOO_LONG = "identity_too_long";

    static final String TOO_MANY = "too_many";

    static final Set<String> REASONS = Set.of(IDENTITY_MISSING, IDENTITY_TOO_LONG, TOO_MANY);
  }

  /**
   * @param asOf time at which the resource had these values: the resource's own time if it has one, otherwise the
   *     time of the answer by the service's clock; null if not known
   * @param orderedBy time that decides which of two observations of the resource is newer: the resource's own time if
   *     its kind has one, otherwise {@code asOf}. If the kind has its own time but this resource lacks it, {@code
   *     orderedBy} is null, since times of different clocks are not comparable.
   * @param isListed whether the resource is a pool in the page's list of pools, such as the top pools of a token; false
   *     for every other resource, such as a ticker or an included token
   */
  record ResourceObservation(ResourceKind kind, String key, Observation<?> observation, @Nullable Instant asOf,
      @Nullable Instant orderedBy, boolean isListed) {

    static ResourceObservation of(ResourceKind kind, Observation<?> observation, @Nullable Instant asOf,
        boolean isListed) {
      var key = kind.key(observation.resource());
      if (!kind.isDated()) {
        return new ResourceObservation(kind, key, observation, asOf, asOf, isListed);
      }
      var own = kind.ownTime(observation.resource());
      return new ResourceObservation(kind, key, observation, own == null ? asOf : own, own, isListed);
    }

    SpecificRecord resource() {
      return observation.resource();
    }
  }

  /**
   * @param values attributes of the facet; an attribute that was absent or null is null
   * @param nulls paths, within the facet, of the attributes that were explicitly null
   * @param cuts values that were too long, and members of {@code extra} that merging may leave out
   */
  record FacetObservation(FacetView facet, IndexedRecord values, Set<String> nulls, List<CutValue> cuts) {

    FacetObservation(FacetView facet, IndexedRecord values, Set<String> nulls) {
      this(facet, values, nulls, List.of());
    }

    /**
     * Returns the facets that an observation of a resource shows, in the order of the schema, with values cut to their
     * limits.
     */
    static List<FacetObservation> of(ResourceKind kind, Observation<?> observation) {
      var nulls = observation.nulls().isEmpty() ? Map.<String, Set<String>>of() : byFacet(observation.nulls());
      var observations = new ArrayList<FacetObservation>();
      for (var facet : kind.facets()) {
        var values = facet.valueIn(observation.resource());
        var ofFacet = nulls.getOrDefault(facet.name(), Set.of());
        if ((values != null && !isEmpty(values)) || !ofFacet.isEmpty()) {
          var observed = values == null ? facet.blankValue() : values;
          var cuts = new ArrayList<CutValue>(0);
          var kept = ValueLimits.cut(observed, facet.attributes(), cuts);
          observations.add(new FacetObservation(facet, kept, ofFacet, cuts));
        }
      }
      return observations;
    }

    /** Groups paths by facet. The paths of identity attributes are left out, since these attributes are in no facet. */
    private static Map<String, Set<String>> byFacet(Set<String> paths) {
      var all = new HashMap<String, Set<String>>();
      for (var path : paths) {
        var end = path.indexOf('.');
        if (end >= 0) {
          all.computeIfAbsent(path.substring(0, end), facet -> new HashSet<>()).add(path.substring(end + 1));
        }
      }
      return all;
    }

    /**
     * Returns the key by which {@link DetectionMemory} stores the informant of these attributes: the name of the facet,
     * or a key for each side of {@code token_price}. A target that asks for one token of a pool shows only the price of
     * that token, so it does not compete with targets that ask for the other token.
     */
    String informantKey() {
      return values instanceof PoolTokenPrice price
          ? facet.name() + (price.getBase() != null || nulls.contains("base") ? ".base" : ".quote")
          : facet.name();
    }

    /** Returns whether no attribute of a record has a value. */
    static boolean isEmpty(IndexedRecord record) {
      var size = record.getSchema().getFields().size();
      for (var position = 0; position < size; position++) {
        var value = record.get(position);
        if (value != null && !(value instanceof IndexedRecord inner && isEmpty(inner))) {
          return false;
        }
      }
      return true;
    }

    /** Returns whether the value known now only adds attributes to an earlier known value. */
    static boolean holds(FacetView facet, IndexedRecord known, IndexedRecord now) {
      return AvroRecords.areEqual(new FacetObservation(facet, known, Set.of()).mergedOver(now), now);
    }

    /**
     * Returns the value of the facet that is known after the observation. An absent attribute keeps its known value,
     * an explicit null replaces it, and a map is replaced as a whole. The facet {@code extra} is merged by {@link
     * ExtraJson#merge}.
     */
    IndexedRecord mergedOver(@Nullable IndexedRecord known) {
      return values instanceof Extra extra
          ? ExtraJson.merge((Extra) known, extra)
          : merge(known, values, "", facet.attributes());
    }

    /**
     * Returns the known value of the facet, completed with the attributes of the observation that were not known yet.
     */
    IndexedRecord mergedUnder(@Nullable IndexedRecord known) {
      return known == null ? mergedOver(null)
          : new FacetObservation(facet, known, Set.of()).mergedOver(mergedOver(null));
    }

    private IndexedRecord merge(
        @Nullable IndexedRecord known, IndexedRecord observed, String path, List<Attribute> attributes) {
      var result = AvroRecords.blank(observed.getSchema());
      for (var attribute : attributes) {
        var before = known == null ? null : attribute.in(known);
        result.put(attribute.position(), merge(before, attribute.in(observed), path, attribute));
      }
      return result;
    }

    private @Nullable Object merge(
        @Nullable Object known, @Nullable Object observed, String prefix, Attribute attribute) {
      if (!nulls.isEmpty() && nulls.contains(prefix + attribute.name())) {
        return null;
      }
      if (attribute.type() instanceof Attribute.RecordOf record) {
        var path = nulls.isEmpty() ? "" : prefix + attribute.name() + ".";
        return mergeRecords((IndexedRecord) known, (IndexedRecord) observed, path, record.attributes());
      }
      return observed == null ? known : observed;
    }

    private @Nullable IndexedRecord mergeRecords(
        @Nullable IndexedRecord known, @Nullable IndexedRecord observed, String path, List<Attribute> attributes) {
      var either = observed != null ? observed : known;
      if (either == null) {
        return null;
      }
      var result = merge(known, observed != null ? observed : AvroRecords.blank(either.getSchema()), path, attributes);
      return isEmpty(result) ? null : result;
    }

    /**
     * Returns whether the given vote means that the observation was merged over the known value. The merged value
     * then cannot conflict with the observation. Returns false for the facet {@code extra}, whose merged value may be
     * cut.
     */
    boolean isMergedBy(InformantElection.Vote vote) {
      return (vote == InformantElection.Vote.FIRST || vote == InformantElection.Vote.ELECTED)
          && !(values instanceof Extra);
    }

    /** Returns whether the known value of the facet would change if the observation were merged over it. */
    boolean conflictsWith(@Nullable IndexedRecord known) {
      var merged = mergedOver(known);
      return known == null ? !isEmpty(merged) : !AvroRecords.areEqual(known, merged);
    }

    /** Returns a fingerprint of the observation, which is equal for equal values and equal explicit nulls. */
    long digest() {
      var text = new StringBuilder();
      append(values, text);
      nulls.stream().sorted().forEach(path -> text.append('\u0000').append(path));
      return SchemaNormalization.fingerprint64(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void append(@Nullable Object value, StringBuilder text) {
      switch (value) {
        case null -> text.append('\u0001');
        case IndexedRecord record -> record.getSchema().getFields()
            .forEach(field -> append(record.get(field.pos()), text.append('\u0002')));
        case Map<?, ?> map -> new TreeMap<>(map)
            .forEach((key, each) -> append(each, text.append('\u0003').append(key).append('\u0004')));
        default -> text.append(value);
      }
    }
  }

  /** @throws io.tidemark.market.Failure.Unreadable if the body is not as the interface document describes */
  static PageObservations of(Answer<?> answer) {
    var page = new Page(answer.asOf());
    switch (answer.query()) {
      case Query.TokenByAddress q -> page.token(read(q, answer));
      case Query.DexPools q -> page.pools(read(q, answer));
      case Query.TrendingPools q -> page.pools(read(q, answer));
      case Query.NewPools q -> page.pools(read(q, answer));
      case Query.SearchPools q -> page.pools(read(q, answer));
      case Query.TokenPools q -> page.pools(read(q, answer));
      case Query.PoolByAddress q -> page.pool(read(q, answer));
      case Query.GlobalMarket q -> page.member(ResourceKind.GLOBAL, read(q, answer));
      case Query.CoinHistory q -> page.member(ResourceKind.COIN_DAY, read(q, answer));
      case Query.CoinTickers q -> page.members(ResourceKind.TICKER, read(q, answer).tickers());
      case Query.DerivativesExchangeById q -> page.derivatives(q, read(q, answer));
      case Query.PublicTreasury q -> page.treasury(read(q, answer));
      case Query.AssetPlatforms q -> page.platforms(q, read(q, answer));
    }
    return new PageObservations(page.observations, page.members, page.included, page.listed, page.whole, page.refused);
  }

  /** Reads the body of an answer to the query. The cast is safe because the query determines the type of the body. */
  @SuppressWarnings("unchecked")
  private static <A> A read(Query<A> query, Answer<?> answer) {
    if (answer.query() != query) {
      throw new IllegalArgumentException("The answer belongs to another query than " + query);
    }
    return ((Answer<A>) answer).body().read();
  }

  /** The observations gathered so far from a page. */
  private static final class Page {
    private final List<ResourceObservation> observations = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final List<String> included = new ArrayList<>();
    private final @Nullable Instant asOf;
    private @Nullable List<String> listed;
    private boolean whole = true;
    private final Map<RefusedResources, Long> refused = new LinkedHashMap<>();

    Page(@Nullable Instant asOf) {
      this.asOf = asOf;
    }

    /** Adds the one resource that the answer is about. */
    void member(ResourceKind kind, Observation<?> observation) {
      members(kind, List.of(observation));
    }

    void members(ResourceKind kind, List<? extends Observation<?>> all) {
      for (var each : rows(kind, all)) {
        var observed = ResourceObservation.of(kind, each, asOf, false);
        members.add(observed.key());
        observations.add(observed);
      }
    }

    /**
     * Returns the accepted rows of a list. If the list has rows but none is accepted, the page cannot prove an absence.
     */
    private <O extends Observation<?>> List<O> rows(ResourceKind kind, List<O> all) {
      var taken = taken(kind, all);
      whole &= all.isEmpty() || !taken.isEmpty();
      return taken;
    }

    /** Takes the resources that are within the limit, counted from the first, and have a usable identity. */
    private <O extends Observation<?>> List<O> taken(ResourceKind kind, List<O> all) {
      return first(kind, all).stream()
          .filter(each -> isTaken(kind, ValueLimits.isIdentityMissing(each.resource()),
              ValueLimits.isIdentityTooLong(each.resource())))
          .toList();
    }

    private boolean isTaken(ResourceKind kind, boolean isMissing, boolean isTooLong) {
      if (isMissing || isTooLong) {
        refuse(kind, isTooLong ? RefusedResources.IDENTITY_TOO_LONG : RefusedResources.IDENTITY_MISSING, 1);
      }
      return !isMissing && !isTooLong;
    }

    private <E> List<E> first(ResourceKind kind, List<E> all) {
      if (all.size() <= ValueLimits.RESOURCES) {
        return all;
      }
      refuse(kind, RefusedResources.TOO_MANY, all.size() - ValueLimits.RESOURCES);
      whole = false;
      return all.subList(0, ValueLimits.RESOURCES);
    }

    private void refuse(ResourceKind kind, String reason, long count) {
      refused.merge(new RefusedResources(kind, reason), count, Long::sum);
    }

    void pools(OnChainAnswer<List<Observation<Pool>>> answer) {
      listed = new ArrayList<>();
      for (var pool : rows(ResourceKind.POOL, answer.data())) {
        listed.add(pool.resource().getId());
        members.add(pool.resource().getId());
        addPool(pool, true);
      }
      include(answer.included());
    }

    void pool(OnChainAnswer<Observation<Pool>> answer) {
      for (var pool : rows(ResourceKind.POOL, List.of(answer.data()))) {
        members.add(pool.resource().getId());
        addPool(pool, false);
      }
      include(answer.included());
    }

    void token(OnChainAnswer<TokenAnswer> answer) {
      member(ResourceKind.TOKEN, answer.data().token());
      var topPools = answer.data().topPools();
      if (topPools != null) {
        listed = first(ResourceKind.POOL, topPools).stream()
            .filter(id -> isTaken(ResourceKind.POOL, id.isBlank(), id.length() > ValueLimits.IDENTITY)).toList();
        whole &= topPools.isEmpty() || !listed.isEmpty();
        members.addAll(listed);
      }
      if (answer.included() != null) {
        taken(ResourceKind.POOL, answer.included().pools())
            .forEach(pool -> addPool(pool, listed != null && listed.contains(pool.resource().getId())));
      }
      include(answer.included());
    }

    private void addPool(Observation<Pool> pool, boolean isListed) {
      observations.add(ResourceObservation.of(ResourceKind.POOL, pool, asOf, isListed));
    }

    private void include(@Nullable Included others) {
      for (var token : others == null ? List.<Observation<Token>>of() : taken(ResourceKind.TOKEN, others.tokens())) {
        var observed = ResourceObservation.of(ResourceKind.TOKEN, token, asOf, false);
        observations.add(observed);
        included.add(observed.key());
      }
    }

    void derivatives(Query.DerivativesExchangeById query, DerivativesAnswer answer) {
      whole = query.includeTickers() == null || answer.tickers() != null;
      member(ResourceKind.DERIVATIVES_EXCHANGE, answer.exchange());
      members(ResourceKind.CONTRACT, Objects.requireNonNullElse(answer.tickers(), List.of()));
    }

    void treasury(TreasuryAnswer answer) {
      whole = answer.holdings() != null;
      member(ResourceKind.TREASURY, answer.treasury());
      members(ResourceKind.HOLDING, Objects.requireNonNullElse(answer.holdings(), List.of()));
    }

    void platforms(Query.AssetPlatforms query, List<Observation<Platform>> platforms) {
      var isNft = query.filter() == PlatformFilter.NFT;
      members(ResourceKind.PLATFORM, isNft ? platforms.stream().map(Page::withNftSupport).toList() : platforms);
    }

    private static Observation<Platform> withNftSupport(Observation<Platform> platform) {
      var copy = AvroRecords.copy(platform.resource());
      copy.setNft(new PlatformNft(true));
      return new Observation<>(copy, platform.nulls());
    }
  }
}

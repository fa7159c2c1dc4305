package io.tidemark.change;

import io.tidemark.event.Contract;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.Ticker;
import io.tidemark.market.Answer;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.Dex;
import io.tidemark.market.Included;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.Query;
import io.tidemark.market.TokenAnswer;
import io.tidemark.market.TreasuryAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What one page of a target showed, as observations of resources.
 *
 * @param members keys that the page showed, in order: what the target itself is about first, then its list
 * @param along keys of the tokens that came along
 * @param listed ids of the pools of a list, in order; null where the page has no list
 * @param whole whether the holdings or contracts that were asked for were there, if only as an empty list
 */
record PageObservations(
    List<ResourceObservation> observations,
    List<String> members,
    List<String> along,
    @Nullable List<String> listed,
    boolean whole) {

  /**
   * Reads a page.
   *
   * @throws io.tidemark.market.Failure.Unreadable where the body is not what the document says
   */
  static PageObservations of(Answer<?> answer) {
    Page page = new Page(answer.asOf());
    switch (answer.query()) {
      case Query.TokenByAddress q -> page.token(read(q, answer));
      case Query.DexPools q -> page.pools(read(q, answer));
      case Query.TrendingPools q -> page.pools(read(q, answer));
      case Query.NewPools q -> page.pools(read(q, answer));
      case Query.SearchPools q -> page.pools(read(q, answer));
      case Query.TokenPools q -> page.pools(read(q, answer));
      case Query.PoolByAddress q -> page.pool(read(q, answer));
      case Query.GlobalMarket q -> page.global(read(q, answer));
      case Query.CoinHistory q -> page.member(ResourceKind.COIN_DAY, read(q, answer));
      case Query.CoinTickers q -> read(q, answer).tickers().forEach(page::ticker);
      case Query.DerivativesExchangeById q -> page.derivatives(q, read(q, answer));
      case Query.PublicTreasury q -> page.treasury(read(q, answer));
      case Query.AssetPlatforms q -> page.platforms(q, read(q, answer));
    }
    return new PageObservations(page.observations, page.members, page.along, page.listed, page.whole);
  }

  /** The answer is one to this query, so its body is what the query asks for. */
  @SuppressWarnings("unchecked")
  private static <A> A read(Query<A> query, Answer<?> answer) {
    if (answer.query() != query) {
      throw new IllegalArgumentException("Not the answer to " + query);
    }
    return ((Answer<A>) answer).body().read();
  }

  private static final class Page {
    final List<ResourceObservation> observations = new ArrayList<>();
    final List<String> members = new ArrayList<>();
    final List<String> along = new ArrayList<>();
    final @Nullable Instant asOf;
    @Nullable
    List<String> listed;
    boolean whole = true;

    Page(@Nullable Instant asOf) {
      this.asOf = asOf;
    }

    void member(ResourceKind kind, Observation<?> observed) {
      member(ResourceObservation.of(kind, observed, asOf));
    }

    /** One of a kind that tells its own time. */
    private void member(ResourceKind kind, Observation<?> observed, @Nullable Instant own) {
      String key = kind.key(observed.resource());
      member(new ResourceObservation(kind, key, observed, own == null ? asOf : own, own, 0));
    }

    private void member(ResourceObservation observation) {
      members.add(observation.key());
      observations.add(observation);
    }

    void pools(OnChainAnswer<List<Observation<Pool>>> answer) {
      listed = new ArrayList<>();
      for (Observation<Pool> pool : answer.data()) {
        listed.add(pool.resource().getId());
        members.add(pool.resource().getId());
        observations.add(pooled(pool, answer.included(), listed.size()));
      }
      included(answer.included());
    }

    void pool(OnChainAnswer<Observation<Pool>> answer) {
      members.add(answer.data().resource().getId());
      observations.add(pooled(answer.data(), answer.included(), 0));
      included(answer.included());
    }

    void token(OnChainAnswer<TokenAnswer> answer) {
      member(ResourceKind.TOKEN, answer.data().token());
      listed = answer.data().topPools();
      members.addAll(listed == null ? List.of() : listed);
      if (answer.included() != null) {
        answer.included().pools().forEach(pool -> observations.add(pooled(pool, answer.included(), 0)));
      }
      included(answer.included());
    }

    private void included(@Nullable Included included) {
      if (included != null) {
        included.tokens().forEach(token -> observations.add(ResourceObservation.of(ResourceKind.TOKEN, token, asOf)));
        included.tokens().forEach(token -> along.add(token.resource().getId()));
      }
    }

    private ResourceObservation pooled(Observation<Pool> pool, @Nullable Included included, int rank) {
      Observation<Pool> named = included == null ? pool : withDexName(pool, included.dexes());
      return new ResourceObservation(ResourceKind.POOL, pool.resource().getId(), named, asOf, asOf, rank);
    }

    private static Observation<Pool> withDexName(Observation<Pool> observed, List<Dex> dexes) {
      PoolDescription description = observed.resource().getDescription();
      for (Dex dex : dexes) {
        if (description != null && dex.name() != null && dex.id().equals(description.getDex())) {
          PoolDescription named = PoolDescription.newBuilder(description).setDexName(dex.name()).build();
          return new Observation<>(with(observed.resource(), named), observed.nulls());
        }
      }
      return observed;
    }

    private static Pool with(Pool pool, PoolDescription description) {
      Pool copy = shallow(pool);
      copy.setDescription(description);
      return copy;
    }

    void global(Observation<Global> observed) {
      var times = observed.resource().getTimes();
      Long updated = times == null ? null : times.getUpdatedAt();
      member(ResourceKind.GLOBAL, observed, updated == null ? null : ServiceTimes.seconds(updated));
    }

    void ticker(Observation<Ticker> observed) {
      var times = observed.resource().getTimes();
      member(ResourceKind.TICKER, observed, times == null ? null : ServiceTimes.iso(times.getLastFetchAt()));
    }

    void derivatives(Query.DerivativesExchangeById query, DerivativesAnswer answer) {
      whole = query.includeTickers() == null || answer.tickers() != null;
      member(ResourceKind.DERIVATIVES_EXCHANGE, answer.exchange());
      for (Observation<Contract> contract : Objects.requireNonNullElse(answer.tickers(),
          List.<Observation<Contract>>of())) {
        var times = contract.resource().getTimes();
        Long traded = times == null ? null : times.getLastTraded();
        member(ResourceKind.CONTRACT, contract, traded == null ? null : ServiceTimes.seconds(traded));
      }
    }

    void treasury(TreasuryAnswer answer) {
      whole = answer.holdings() != null;
      member(ResourceKind.TREASURY, answer.treasury());
      if (answer.holdings() != null) {
        answer.holdings().forEach(holding -> member(ResourceKind.HOLDING, holding));
      }
    }

    void platforms(Query.AssetPlatforms query, List<Observation<Platform>> platforms) {
      for (Observation<Platform> platform : platforms) {
        member(ResourceKind.PLATFORM, query.filter() == PlatformFilter.NFT ? supporting(platform) : platform);
      }
    }

    private static Observation<Platform> supporting(Observation<Platform> observed) {
      Platform copy = shallow(observed.resource());
      copy.setNft(new PlatformNft(true));
      return new Observation<>(copy, observed.nulls());
    }

    @SuppressWarnings("unchecked")
    private static <R extends SpecificRecord> R shallow(R record) {
      R copy = (R) FacetRow.blank(record.getSchema());
      record.getSchema().getFields().forEach(field -> copy.put(field.pos(), record.get(field.pos())));
      return copy;
    }
  }
}

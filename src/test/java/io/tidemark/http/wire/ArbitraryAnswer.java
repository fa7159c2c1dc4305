package io.tidemark.http.wire;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Contract;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.Global;
import io.tidemark.event.Holding;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformDescription;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolTokenPrice;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerDescription;
import io.tidemark.event.Token;
import io.tidemark.event.Treasury;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A random answer to a query: one that could have come over the wire. */
final class ArbitraryAnswer {
  private static final Dex DEX = new Dex("uniswap_v3", "Uniswap \"V3\"");

  private final Random random;

  ArbitraryAnswer(Random random) {
    this.random = random;
  }

  /** The answer that {@code query} decodes to. */
  Object to(Query<?> query) {
    return switch (query) {
      case Query.TokenByAddress q -> onChain(q.network(), q.address(), dexes -> new TokenAnswer(
          token(q.network()), maybe(() -> List.of("a_b", "c"))), true);
      case Query.DexPools q -> pools(q.network(), null);
      case Query.TrendingPools q -> pools(q.network(), null);
      case Query.NewPools q -> pools(q.network(), null);
      case Query.SearchPools q -> pools(q.network() == null ? "a_b" : q.network(), null);
      case Query.TokenPools q -> pools(q.network(), q.tokenAddress());
      case Query.PoolByAddress q -> onChain(q.network(), null, dexes -> pool(q.network(), null, dexes), false);
      case Query.GlobalMarket q -> ArbitraryResource.of(new Global(), random);
      case Query.CoinHistory q -> coinDay(q.date().toString());
      case Query.CoinTickers q -> tickers(q.id());
      case Query.DerivativesExchangeById q -> derivatives(q.id());
      case Query.PublicTreasury q -> treasury();
      case Query.AssetPlatforms q -> some(this::platform);
    };
  }

  private OnChainAnswer<List<Observation<Pool>>> pools(String network, String token) {
    return onChain(network, token, dexes -> some(() -> pool(network, token, dexes)), false);
  }

  private <A> OnChainAnswer<A> onChain(String network, String token, Data<A> data, boolean tokenOfIncluded) {
    if (random.nextInt(4) == 0) {
      return new OnChainAnswer<>(data.with(List.of()), null);
    }
    var dexes = random.nextBoolean() ? List.of(DEX, new Dex("nameless", null)) : List.<Dex>of();
    var pools = some(() -> pool(network, tokenOfIncluded ? token : null, dexes));
    return new OnChainAnswer<>(
        data.with(dexes), new Included(pools, some(() -> token(network)), dexes));
  }

  private Observation<Pool> pool(String network, String token, List<Dex> dexes) {
    var address = "0x" + random.nextInt();
    var pool = new Pool();
    pool.setId(network + "_" + address);
    pool.setNetwork(network);
    pool.setAddress(address);
    var observation = ArbitraryResource.of(pool, random);
    return token == null ? named(observation, dexes) : priced(named(observation, dexes), network + "_" + token);
  }

  private static Observation<Pool> named(Observation<Pool> observation, List<Dex> dexes) {
    var description = observation.resource().getDescription();
    if (description != null && description.getDex() != null) {
      description.setDex(DEX.id());
      description.setDexName(dexes.contains(DEX) ? DEX.name() : null);
    }
    return observation;
  }

  private Observation<Pool> priced(Observation<Pool> observation, String token) {
    if (observation.resource().getDescription() == null) {
      observation.resource().setDescription(new PoolDescription());
    }
    boolean base = random.nextBoolean();
    var nulls = new HashSet<>(observation.nulls());
    nulls.remove("description." + (base ? "base_token" : "quote_token"));
    observation.resource().getDescription().put(base ? "base_token" : "quote_token", token);
    switch (random.nextInt(3)) {
      case 0 -> {}
      case 1 -> nulls.add(base ? "token_price.base" : "token_price.quote");
      default -> observation.resource().setTokenPrice(
          PoolTokenPrice.newBuilder().setBase(base ? "1.50" : null).setQuote(base ? null : "1.50").build());
    }
    return new Observation<>(observation.resource(), nulls);
  }

  private Observation<Token> token(String network) {
    var address = "So" + random.nextInt();
    var token = new Token();
    token.setId(network + "_" + address);
    token.setNetwork(network);
    token.setAddress(address);
    return ArbitraryResource.of(token, random);
  }

  private Observation<CoinDay> coinDay(String date) {
    var day = new CoinDay();
    day.setCoin("bitcoin");
    day.setDate(date);
    return ArbitraryResource.of(day, random);
  }

  private TickersAnswer tickers(String coin) {
    var name = maybe(() -> "Bit\"coin");
    return new TickersAnswer(name, some(() -> ticker(coin, name)));
  }

  private Observation<Ticker> ticker(String coin, String name) {
    var ticker = new Ticker();
    ticker.setCoin(coin);
    ticker.setMarket("binance");
    ticker.setBase("BTC");
    ticker.setTarget("0xdAC");
    var observation = ArbitraryResource.of(ticker, random);
    if (name != null) {
      ticker.setDescription(ticker.getDescription() == null ? new TickerDescription() : ticker.getDescription());
      ticker.getDescription().setCoinName(name);
    }
    return observation;
  }

  private DerivativesAnswer derivatives(String id) {
    var exchange = new DerivativesExchange();
    exchange.setId(id);
    return new DerivativesAnswer(ArbitraryResource.of(exchange, random), maybe(() -> some(() -> contract(id))));
  }

  private Observation<Contract> contract(String exchange) {
    var contract = new Contract();
    contract.setExchange(exchange);
    contract.setSymbol("BTC-PERP");
    return ArbitraryResource.of(contract, random);
  }

  private TreasuryAnswer treasury() {
    var treasury = new Treasury();
    treasury.setId("strategy");
    return new TreasuryAnswer(ArbitraryResource.of(treasury, random), maybe(() -> some(this::holding)));
  }

  private Observation<Holding> holding() {
    var holding = new Holding();
    holding.setEntity("strategy");
    holding.setCoinId("bitcoin");
    return ArbitraryResource.of(holding, random);
  }

  private Observation<Platform> platform() {
    var platform = new Platform();
    var observation = ArbitraryResource.of(platform, random);
    if (random.nextBoolean()) {
      platform.setId("eth");
      platform.setKey("eth");
      return observation;
    }
    platform.setId("");
    platform.setDescription(PlatformDescription.newBuilder().setName("No \"id\"").build());
    platform.setKey("name:No \"id\"");
    return new Observation<>(platform, observation.nulls().stream().filter(path -> !path.equals("description.name"))
        .collect(Collectors.toSet()));
  }

  private <T> List<T> some(Supplier<T> one) {
    return IntStream.range(0, random.nextInt(4)).mapToObj(i -> one.get()).toList();
  }

  private <T> T maybe(Supplier<T> value) {
    return random.nextInt(4) == 0 ? null : value.get();
  }

  /** What an on-chain answer is about, given the exchanges that are included. */
  private interface Data<A> {
    A with(List<Dex> dexes);
  }
}

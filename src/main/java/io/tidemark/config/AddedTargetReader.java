package io.tidemark.config;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Target;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.AddedTarget;
import io.tidemark.yaml.YamlSection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the commands that add targets to a source: the name of a target, whatever its case and whether or not it names
 * what is included, and YAML such as {@code { pages: 2, weight: 3.0, until: "2026-03-10T12:00:00Z" }}.
 */
final class AddedTargetReader implements AddedTarget.Reader {

  private static final Set<IncludedResource> ALL_INCLUDES = Set.of(IncludedResource.values());
  private static final Pattern HEXADECIMAL = Pattern.compile("0[xX][0-9a-fA-F]+");

  private final String source;
  private final RefreshPeriods periods;

  AddedTargetReader(String source, RefreshPeriods periods) {
    this.source = source;
    this.periods = periods;
  }

  @Override
  public AddedTarget read(String name, String text) {
    var in = YamlSection.parse("the command", text, null).only("pages", "weight", "until");
    var query = Endpoints.parseTarget(lowerCaseAddress(name));
    if (query.operation() == Operation.COIN_HISTORY) {
      throw new IllegalArgumentException("a day of a history is polled once; days are watched by the configuration");
    }
    var all = name.contains("include=") ? query : withAllIncludes(query);
    var pages = query instanceof Query.Paged<?> ? in.get("pages", "1").integer(1, 500, "1 to 500") : 1;
    var until = in.find("until");
    return new AddedTarget(
        new WatchedTarget(new Target(source, Endpoints.targetName(all), all, pages), periods.of(all.operation()),
            in.get("weight", "1").number()),
        until == null ? null : until.as(AddedTargetReader::instant));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("until: a time such as 2026-03-10T12:00:00Z, not " + text, e);
    }
  }

  /** The target of a pool, as the configuration would watch it. */
  static String poolTarget(String network, String address) {
    return Endpoints.targetName(new Query.PoolByAddress(network, address, ALL_INCLUDES, false, false));
  }

  private static String lowerCaseAddress(String name) {
    return HEXADECIMAL.matcher(name).replaceAll(address -> address.group().toLowerCase(Locale.ROOT));
  }

  /** As the configuration does, unless it says otherwise. */
  private static Query<?> withAllIncludes(Query<?> query) {
    return switch (query) {
      case Query.DexPools q ->
          new Query.DexPools(q.network(), q.dex(), ALL_INCLUDES, 1, q.sort(), q.community());
      case Query.TrendingPools q ->
          new Query.TrendingPools(q.network(), ALL_INCLUDES, 1, q.duration(), q.community());
      case Query.NewPools q -> new Query.NewPools(q.network(), ALL_INCLUDES, 1, q.community());
      case Query.SearchPools q -> new Query.SearchPools(q.query(), q.network(), ALL_INCLUDES, 1);
      case Query.TokenPools q -> new Query.TokenPools(
          q.network(), q.tokenAddress(), ALL_INCLUDES, q.inactiveSource(), 1, q.sort(), q.community());
      case Query.PoolByAddress q ->
          new Query.PoolByAddress(q.network(), q.address(), ALL_INCLUDES, q.volumeBreakdown(), q.composition());
      case Query.TokenByAddress q -> q;
      case Query.GlobalMarket q -> q;
      case Query.CoinHistory q -> q;
      case Query.CoinTickers q -> q;
      case Query.DerivativesExchangeById q -> q;
      case Query.PublicTreasury q -> q;
      case Query.AssetPlatforms q -> q;
    };
  }
}

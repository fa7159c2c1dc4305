package io.tidemark.app.config;

import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.FollowRule;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.capture.source.WatchAdditions;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.PoolListing;
import io.tidemark.http.client.ApiKey;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.market.Query;
import io.tidemark.rule.expression.EvaluatedRecord;
import io.tidemark.rule.expression.EvaluationFailure;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.yaml.YamlSection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the settings of one source. */
final class SourceSettingsReader {

  /** Kinds of lists in {@code pool.listing} that pools can enter. */
  private static final List<String> LISTS = List.of("trending", "new", "dex", "token", "search");
  private static final Duration SHORTEST_EVICT_AFTER = Duration.ofHours(1);

  private SourceSettingsReader() {}

  /** @param withKeys whether to read the keys of the service, which a command that sends no requests does not need */
  static SourceSettings read(YamlSection in, boolean withKeys) {
    in.only("name", "prefix", "base-url", "keys", "key-header", "refresh", "events", "emit", "evict-after",
        "on-chain-path", "probe-keys", "share", "spent", "billing-day", "max-age", "max-round", "watch");
    var name = in.get("name", "main").text();
    var keys = keys(in);
    var limits = limits(in, keys);
    var periods = RefreshPeriods.read(in);
    var watch = new WatchListReader(name, periods).read(in.section("watch"));
    return new SourceSettings(
        name,
        in.get("prefix", "tidemark.").text(),
        client(in, withKeys ? secrets(keys) : List.of()),
        limits,
        in.get("probe-keys", "false").oneOf(List.of("true", "false")).equals("true"),
        publish(in),
        evictAfter(in),
        watch.withMaxAge(maxAge(in, watch, limits)),
        new WatchAdditions(in.section("watch").sections("follow").stream().map(rule -> follow(rule, watch)).toList(),
            maxRound(in), new AddedTargetReader(name, periods)::read));
  }

  private static FollowRule follow(YamlSection in, WatchList watch) {
    in.only("entering", "where", "for", "most", "weight");
    var entering = in.required("entering").oneOf(LISTS);
    var searched = watch.targets().stream().map(each -> each.target().query())
        .filter(Query.SearchPools.class::isInstance).map(search -> ((Query.SearchPools) search).network()).toList();
    if (entering.equals("search") && !searched.isEmpty() && searched.stream().allMatch(Objects::isNull)) {
      throw in.invalid("entering",
          "no pool can be followed, because no search has a network; set network for a search");
    }
    var where = in.find("where");
    BiPredicate<PoolListing, Instant> condition =
        where == null ? (listing, now) -> true : where.as(SourceSettingsReader::condition);
    var keep = in.get("for", "6h").duration(DurationFormat.OF_CONFIGURATION);
    var most = in.get("most", "20").integer();
    var weight = in.get("weight", "1").number();
    if (!(weight > 0) || weight > 1000) {
      throw in.invalid("weight", "must be above 0 and at most 1000");
    }
    return in.as(() -> new FollowRule(entering, condition, keep, most, weight));
  }

  /**
   * Returns the condition of a follow rule. A record does not meet the condition if it lacks data or if the evaluation
   * fails.
   */
  private static BiPredicate<PoolListing, Instant> condition(String text) {
    var condition = Expression.conditionOnOneRecord(text, Vocabulary.of(PoolListing.getClassSchema()));
    return (listing, now) -> meets(condition, listing, now);
  }

  private static boolean meets(Expression condition, PoolListing listing, Instant now) {
    try {
      return condition.test(new EvaluatedRecord(listing, now)) == Expression.Verdict.TRUE;
    } catch (EvaluationFailure e) {
      return false;
    }
  }

  private static Duration maxRound(YamlSection in) {
    return in.get("max-round", "6h").duration(DurationFormat.OF_CONFIGURATION);
  }

  /**
   * Returns {@code max-age}, or null if it is not set. Rejects a {@code max-age} that the budget cannot keep or that is
   * shorter than the refresh period of a target, and a watch list whose round takes longer than {@code max-round}.
   */
  private static @Nullable Duration maxAge(YamlSection in, WatchList watch, PlanLimits limits) {
    var round = watch.roundTime(limits.sustainedPerMinute());
    var longest = maxRound(in);
    if (round.compareTo(longest) > 0) {
      throw in.invalid("watch", ("one round of the watch list takes %s at the %.2f calls a minute that the budget"
          + " allows all the time, but max-round is %s. The nearest watch list that fits: %s; or allow longer"
          + " rounds with max-round: %s").formatted(
              rounded(round), limits.sustainedPerMinute(), rounded(longest),
              watch.nearestWithin(longest, limits.sustainedPerMinute()), rounded(round)));
    }
    if (!in.has("max-age")) {
      return null;
    }
    var maxAge = in.required("max-age").duration(DurationFormat.OF_CONFIGURATION);
    var needed = Stream.concat(
        Stream.of(Duration.ofMillis((long) (WatchAdditions.ROUNDS_OF_MAX_AGE * round.toMillis()))),
        watch.targets().stream().map(WatchedTarget::period)).max(Duration::compareTo).orElseThrow();
    if (maxAge.compareTo(needed) < 0) {
      throw in.invalid("max-age", ("cannot be kept: one round of the watch list takes %s, and no target is polled more"
          + " often than the service refreshes it; the smallest max-age that can be kept is %s")
          .formatted(rounded(round), rounded(needed)));
    }
    return maxAge;
  }

  /** Formats a duration for the configuration, rounded up to whole minutes or hours. */
  private static String rounded(Duration duration) {
    var minutes = Math.max(1, (duration.toSeconds() + 59) / 60);
    return minutes < 120 ? minutes + "m" : (minutes + 59) / 60 + "h";
  }

  /**
   * Returns the sections of the keys, or one empty section if the file has none. Then the service needs no key, or an
   * environment variable sets the key.
   */
  private static List<YamlSection> keys(YamlSection in) {
    var keys = in.sections("keys");
    return (keys.isEmpty() ? List.of(in.section("keys[0]")) : keys).stream()
        .map(key -> key.only("key", "key-file", "name", "per-minute", "per-month")).toList();
  }

  private static List<ApiKey> secrets(List<YamlSection> keys) {
    var secrets = new ArrayList<ApiKey>();
    for (var key : keys) {
      var secret = key.secret("key");
      if (secret != null) {
        secrets.add(key.as(() -> new ApiKey(secret.value())));
      } else if (keys.size() > 1) {
        throw key.invalid("a key is missing; if there are several entries, each needs its own key");
      }
    }
    return secrets;
  }

  private static Duration evictAfter(YamlSection in) {
    var evictAfter = in.get("evict-after", "30d").duration(DurationFormat.OF_CONFIGURATION);
    if (evictAfter.compareTo(SHORTEST_EVICT_AFTER) < 0) {
      throw in.invalid("evict-after",
          "must be at least 1h, because a resource can be missing from all lists for a moment and still exist");
    }
    return evictAfter;
  }

  private static HttpClientSettings client(YamlSection in, List<ApiKey> keys) {
    var baseUrl = in.required("base-url");
    var address = baseUrl.uri();
    var path = in.get("on-chain-path", "/onchain");
    var header = in.get("key-header", "x-cg-demo-api-key").text();
    var client = baseUrl.as(text -> HttpClientSettings.of(address, null)).withKeyHeader(header);
    return in.as("keys", () -> path.as(client::withOnChainPath).withKeys(keys));
  }

  private static PlanLimits limits(YamlSection in, List<YamlSection> keys) {
    var each = IntStream.range(0, keys.size()).mapToObj(key -> limits(keys.get(key), key + 1)).toList();
    var share = in.get("share", "1").number();
    var spent = in.get("spent", "0").longInteger();
    var billingDay = in.get("billing-day", "1").integer();
    return in.as(() -> new PlanLimits(each, share, spent, billingDay));
  }

  private static KeyLimits limits(YamlSection key, int position) {
    var name = key.get("name", String.valueOf(position)).text();
    var perMinute = key.get("per-minute", "30").integer();
    var perMonth = key.get("per-month", "10000").longInteger();
    return key.as(() -> new KeyLimits(name, perMinute, perMonth));
  }

  /** Reads {@code events} and {@code emit}, which decide which changes are published. */
  private static PublishSettings publish(YamlSection source) {
    var events = source.get("events", "material");
    var emit = source.section("emit");
    emit.only(ChangeView.ofResources().stream()
        .flatMap(view -> view.facets().stream().map(facet -> view.resource() + "." + facet.name()))
        .toArray(String[]::new));
    if (emit.has("ranking.order")) {
      throw emit.invalid("ranking.order", "every change of the order is published at once, because the records of"
          + " pool.listing are written with it; remove this key");
    }
    var thresholds = new HashMap<String, PublishSettings.Threshold>();
    emit.keys().forEach(facet -> thresholds.put(facet, threshold(emit.section(facet))));
    var everything = events.oneOf(List.of("material", "everything")).equals("everything");
    return new PublishSettings(everything, thresholds);
  }

  /** The band of a threshold is an absolute difference or, with a % sign, relative to the value last published. */
  private static PublishSettings.Threshold threshold(YamlSection in) {
    in.only("band", "every");
    var every = in.has("every") ? in.required("every").duration(DurationFormat.OF_CONFIGURATION) : Duration.ZERO;
    var band = in.get("band", "0");
    var relative = band.text().endsWith("%");
    var size = relative ? band.withText(band.text().substring(0, band.text().length() - 1).strip()) : band;
    if (!(size.number() >= 0)) {
      throw band.invalid("must be 0 or more, such as 0.5 or 0.1%");
    }
    return new PublishSettings.Threshold(relative ? size.number() : 0, relative ? 0 : size.number(), every);
  }
}

package io.tidemark.config;

import io.tidemark.http.client.ApiKey;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.market.Query;
import io.tidemark.poll.PlanLimits;
import io.tidemark.source.SourceSettings;
import io.tidemark.yaml.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;

/** Reads the settings of one source. */
final class SourceSettingsReader {

  private static final Duration SHORTEST_EVICT_AFTER = Duration.ofHours(1);

  private SourceSettingsReader() {}

  static SourceSettings read(Section in, Function<Query<?>, String> nameOf) {
    in.only("name", "prefix", "base-url", "keys", "key-header", "refresh", "events", "emit", "evict-after",
        "on-chain-path", "share", "spent", "billing-day", "max-age", "max-round", "watch");
    in.notYet("max-age", "10m");
    in.notYet("max-round", "6h");
    var name = in.get("name", "main").text();
    var key = KeySettings.read(in);
    var periods = RefreshPeriods.read(in);
    return new SourceSettings(
        name,
        in.get("prefix", "tidemark.").text(),
        client(in, key),
        limits(in, key),
        PublishSettingsReader.read(in),
        evictAfter(in),
        WatchListReader.read(in.section("watch"), new Watching(name, periods, nameOf)));
  }

  private static Duration evictAfter(Section in) {
    var evictAfter = in.get("evict-after", "30d").duration();
    if (evictAfter.compareTo(SHORTEST_EVICT_AFTER) < 0) {
      throw in.refused("evict-after", "at least 1h: a resource that is not visible for a moment is not gone");
    }
    return evictAfter;
  }

  private static HttpClientSettings client(Section in, KeySettings key) {
    var address = in.required("base-url");
    var path = in.get("on-chain-path", "/onchain");
    var header = in.get("key-header", "x-cg-demo-api-key").text();
    var apiKey = key.secret() == null ? null : apiKey(in, key.secret());
    var client = address.made(url -> HttpClientSettings.of(URI.create(url), apiKey)).withKeyHeader(header);
    return path.made(client::withOnChainPath);
  }

  private static ApiKey apiKey(Section in, Secret secret) {
    try {
      return new ApiKey(secret.value());
    } catch (IllegalArgumentException e) {
      throw in.refused("keys", String.valueOf(e.getMessage()));
    }
  }

  private static PlanLimits limits(Section in, KeySettings key) {
    var share = in.get("share", "1").number();
    var spent = in.get("spent", "0").large();
    var billingDay = in.get("billing-day", "1").whole();
    try {
      return new PlanLimits(key.perMinute(), key.perMonth(), share, spent, billingDay);
    } catch (IllegalArgumentException e) {
      throw in.refused(String.valueOf(e.getMessage()));
    }
  }
}

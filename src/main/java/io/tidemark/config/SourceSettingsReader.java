package io.tidemark.config;

import io.tidemark.change.PublishSettings;
import io.tidemark.event.ChangeView;
import io.tidemark.http.client.ApiKey;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.market.Query;
import io.tidemark.poll.PlanLimits;
import io.tidemark.source.SourceSettings;
import io.tidemark.yaml.DurationFormat;
import io.tidemark.yaml.YamlSection;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the settings of one source. */
final class SourceSettingsReader {

  private static final Duration SHORTEST_EVICT_AFTER = Duration.ofHours(1);

  private SourceSettingsReader() {}

  /** @param withKeys whether the key is read; without it, no request can be sent */
  static SourceSettings read(YamlSection in, Function<Query<?>, String> nameOf, boolean withKeys) {
    in.only("name", "prefix", "base-url", "keys", "key-header", "refresh", "events", "emit", "evict-after",
        "on-chain-path", "share", "spent", "billing-day", "max-age", "max-round", "watch");
    in.notYet("max-age", "10m");
    in.notYet("max-round", "6h");
    var name = in.get("name", "main").text();
    var key = key(in);
    var secret = withKeys ? key.secret("key") : null;
    return new SourceSettings(
        name,
        in.get("prefix", "tidemark.").text(),
        client(in, secret == null ? null : in.as("keys", () -> new ApiKey(secret.value()))),
        limits(in, key),
        publish(in),
        evictAfter(in),
        new WatchListReader(name, RefreshPeriods.read(in), nameOf).read(in.section("watch")));
  }

  /** The one key; an empty section for a service that needs none. */
  private static YamlSection key(YamlSection in) {
    var keys = in.sections("keys");
    if (keys.size() > 1) {
      throw in.invalid("keys", "several keys of one source are not available yet; name one");
    }
    var key = keys.isEmpty() ? in.section("keys[0]") : keys.getFirst();
    return key.only("key", "key-file", "per-minute", "per-month");
  }

  private static Duration evictAfter(YamlSection in) {
    var evictAfter = in.get("evict-after", "30d").duration(DurationFormat.OF_CONFIGURATION);
    if (evictAfter.compareTo(SHORTEST_EVICT_AFTER) < 0) {
      throw in.invalid("evict-after", "at least 1h: a resource that no list shows for a moment still exists");
    }
    return evictAfter;
  }

  private static HttpClientSettings client(YamlSection in, @Nullable ApiKey apiKey) {
    var address = in.required("base-url");
    var path = in.get("on-chain-path", "/onchain");
    var header = in.get("key-header", "x-cg-demo-api-key").text();
    var client = address.as(url -> HttpClientSettings.of(URI.create(url), apiKey)).withKeyHeader(header);
    return path.as(client::withOnChainPath);
  }

  private static PlanLimits limits(YamlSection in, YamlSection key) {
    var perMinute = key.get("per-minute", "30").integer();
    var perMonth = key.get("per-month", "10000").longInteger();
    var share = in.get("share", "1").number();
    var spent = in.get("spent", "0").longInteger();
    var billingDay = in.get("billing-day", "1").integer();
    return in.as(() -> new PlanLimits(perMinute, perMonth, share, spent, billingDay));
  }

  /** Which changes are published: {@code events} and {@code emit}. */
  private static PublishSettings publish(YamlSection source) {
    var events = source.get("events", "material");
    var emit = source.section("emit");
    emit.only(ChangeView.ofResources().stream()
        .flatMap(view -> view.facets().stream().map(facet -> view.resource() + "." + facet.name()))
        .toArray(String[]::new));
    var thresholds = new HashMap<String, PublishSettings.Threshold>();
    emit.keys().forEach(facet -> thresholds.put(facet, threshold(emit.section(facet))));
    var everything = events.oneOf(List.of("material", "everything")).equals("everything");
    return new PublishSettings(everything, thresholds);
  }

  /** A band is a difference, or with a % sign relative to the value last published. */
  private static PublishSettings.Threshold threshold(YamlSection in) {
    in.only("band", "every");
    var every = in.has("every") ? in.required("every").duration(DurationFormat.OF_CONFIGURATION) : Duration.ZERO;
    var band = in.get("band", "0");
    var relative = band.text().endsWith("%");
    var size = relative ? band.withText(band.text().substring(0, band.text().length() - 1).strip()) : band;
    if (!(size.number() >= 0)) {
      throw band.invalid("0 or more, such as 0.5 or 0.1%");
    }
    return new PublishSettings.Threshold(relative ? size.number() : 0, relative ? 0 : size.number(), every);
  }
}

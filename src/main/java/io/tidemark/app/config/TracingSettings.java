package io.tidemark.app.config;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.Secret;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The collector of traces.
 *
 * @param endpoint address to which spans are posted
 * @param sample the part of all traces that is exported, from 0 to 1
 * @param headers headers of each request to the collector, such as a login
 */
public record TracingSettings(URI endpoint, double sample, Map<String, Secret> headers) {

  /** Path of the requests with traces, which {@code endpoint} may leave out. */
  private static final String PATH = "/v1/traces";

  /**
   * Returns the settings, or null if there is no endpoint.
   *
   * @param withSecrets whether to read the headers
   */
  static @Nullable TracingSettings read(YamlSection in, boolean withSecrets) {
    in.only("endpoint", "sample", "headers");
    var endpoint = in.find("endpoint");
    var sample = in.get("sample", "1");
    if (!(sample.number() >= 0 && sample.number() <= 1)) {
      throw sample.invalid("must be 0 (no trace) to 1 (every trace)");
    }
    if (endpoint == null) {
      return null;
    }
    return new TracingSettings(
        address(endpoint), sample.number(),
        withSecrets ? headers(in.section("headers")) : Map.of());
  }

  private static URI address(YamlValue endpoint) {
    var address = endpoint.uri();
    if (address.getHost() == null || !List.of("http", "https").contains(address.getScheme())
        || address.getRawUserInfo() != null || address.getRawQuery() != null) {
      throw endpoint.invalid(
          "must be an address such as http://localhost:4318, without user and query; a login belongs into headers");
    }
    var base = address.toString().replaceFirst("/+$", "");
    return URI.create(base.endsWith(PATH) ? base : base + PATH);
  }

  private static Map<String, Secret> headers(YamlSection in) {
    var headers = new LinkedHashMap<String, Secret>();
    for (var key : in.keys()) {
      var name = key.replaceFirst("-file$", "");
      var header = requireNonNull(in.secretWithin(name));
      if (header.value().chars().anyMatch(Character::isISOControl)) {
        throw in.invalid(key, "the value must not contain line breaks or other control characters");
      }
      headers.put(name, header);
    }
    return headers;
  }
}

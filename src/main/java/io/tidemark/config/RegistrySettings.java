package io.tidemark.config;

import io.tidemark.yaml.Secret;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which schema registry.
 *
 * @param url of a Confluent-compatible interface; null for the built-in one
 * @param caFile PEM certificates of those who vouch for it; null for the ones that Java knows
 */
public record RegistrySettings(
    @Nullable URI url, @Nullable String user, @Nullable Secret password, @Nullable Path caFile) {

  static RegistrySettings read(Section in) {
    in.only("url", "user", "password", "password-file", "ca-file");
    var url = in.find("url");
    var user = in.find("user");
    if (url == null && user != null) {
      throw in.refused("user", "of no use without url");
    }
    var caFile = in.find("ca-file");
    return new RegistrySettings(
        url == null ? null : url.made(RegistrySettings::address),
        user == null ? null : user.text(),
        in.secret("password"),
        caFile == null ? null : in.file(caFile));
  }

  /** Addresses are shown in messages, and recorded as what a source's topics were written with. */
  private static URI address(String url) {
    var address = URI.create(url);
    if (address.getRawUserInfo() != null || address.getRawQuery() != null) {
      throw new IllegalArgumentException("an address without user, password and query is due here; use user, password");
    }
    return address;
  }
}

package io.tidemark.app.config;

import io.tidemark.event.Secret;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The schema registry to use.
 *
 * @param url address of a Confluent-compatible registry; null for the built-in one
 * @param caFile PEM certificates of the authorities to trust for the registry; null for the authorities that Java
 *     trusts
 */
public record RegistrySettings(
    @Nullable URI url, @Nullable String user, @Nullable Secret password, @Nullable Path caFile) {

  static RegistrySettings read(YamlSection in) {
    in.only("url", "user", "password", "password-file", "ca-file");
    var url = in.find("url");
    var user = in.text("user");
    if (url == null && user != null) {
      throw in.invalid("user", "has no effect without url; set url, or remove user");
    }
    var password = in.secret("password");
    if (user != null && password == null) {
      throw in.invalid("user", "has no effect without a password; set password or password-file, or remove user");
    }
    if (user == null && password != null) {
      throw in.invalid(in.find("password") == null ? "password-file" : "password",
          "has no effect without user; set user, or remove it");
    }
    var caFile = in.find("ca-file");
    return new RegistrySettings(
        url == null ? null : address(url),
        user,
        password,
        caFile == null ? null : in.file(caFile));
  }

  /**
   * Parses the address, which must not contain a secret, because messages show the address and the cluster records it.
   */
  private static URI address(YamlValue url) {
    var address = url.uri();
    if (address.getRawUserInfo() != null || address.getRawQuery() != null) {
      throw url.invalid("the address must not contain user, password or query; use the keys user and password");
    }
    return address;
  }
}

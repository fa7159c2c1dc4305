package io.tidemark.cli.settings;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Which schema registry.
 *
 * @param url of a Confluent-compatible interface; null for the built-in one
 */
public record RegistrySettings(@Nullable URI url, @Nullable String user, @Nullable Secret password) {

  static RegistrySettings read(Section in) {
    in.only("url", "user", "password", "password-file");
    var url = in.find("url");
    var user = in.find("user");
    if (url == null && user != null) {
      throw in.refused("user", "of no use without url");
    }
    return new RegistrySettings(
        url == null ? null : url.made(URI::create), user == null ? null : user.text(), in.secret("password"));
  }
}

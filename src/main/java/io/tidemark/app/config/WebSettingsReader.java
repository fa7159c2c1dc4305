package io.tidemark.app.config;

import io.tidemark.app.config.Settings.ListenerSettings;
import io.tidemark.http.server.ReloadedTls.TlsFiles;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.yaml.YamlSection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code web}. */
final class WebSettingsReader {

  private static final String WAYS_OUT =
      ", which other machines can reach, and reading needs no key. Make a key with 'tidemark key new' and paste the"
          + " printed line under web.keys, listen on 127.0.0.1, or, if a proxy or a network policy limits access, allow"
          + " reading without keys with anonymous: read";

  private WebSettingsReader() {}

  record WebSettings(
      ListenerSettings listener, AccessSettings access, @Nullable TlsFiles tls, FieldNaming fieldNames) {}

  /** @param withSecrets whether to read secrets from variables and files */
  static WebSettings read(YamlSection in, boolean withSecrets) {
    var web = in.section("web").only("address", "port", "max-connections", "max-connections-per-address", "keys",
        "anonymous", "anonymous-per-minute", "session-secret",
        "session-secret-file", "tls", "field-names");
    var listener = ListenerSettings.read(web, "8080", "1000", in.has("web"));
    var access = access(web, withSecrets);
    if (access.isLocalOnly() && !listener.isLoopback()) {
      throw web.invalid("address", "it is " + listener.address() + WAYS_OUT);
    }
    var fieldNames = web.get("field-names", "document").oneOf(
        FieldNaming.values(), each -> each.name().toLowerCase(Locale.ROOT));
    return new WebSettings(listener, access, tls(web), fieldNames);
  }

  private static AccessSettings access(YamlSection web, boolean withSecrets) {
    var keys = web.sections("keys").stream().map(WebSettingsReader::key).toList();
    var anonymous = web.get("anonymous", "none").oneOf(
        AnonymousAccess.values(), AnonymousAccess::wire);
    var secret = withSecrets ? web.secret("session-secret") : null;
    var perMinute =
        web.get("anonymous-per-minute", Integer.toString(AccessSettings.DEFAULT_ANONYMOUS_PER_MINUTE)).integer(
            1, 1_000_000, "1 to 1000000 requests of one address without a key");
    return web.as(() -> new AccessSettings(keys, anonymous, perMinute, secret));
  }

  private static AccessKey key(YamlSection in) {
    in.only("name", "hash", "rights", "per-minute");
    var name = in.required("name").text();
    var hash = in.required("hash").text();
    var rights = in.has("rights")
        ? in.list("rights").stream()
            .map(value -> value.oneOf(AccessRight.values(), AccessRight::wire))
            .collect(Collectors.toSet())
        : Set.of(AccessRight.READ);
    var perMinute = in.get("per-minute", Integer.toString(AccessKey.DEFAULT_PER_MINUTE)).integer();
    return in.as(() -> new AccessKey(name, hash, rights, perMinute));
  }

  private static @Nullable TlsFiles tls(YamlSection web) {
    var tls = web.optional("tls", "certificate", "key");
    return tls == null ? null : new TlsFiles(tls.file(tls.required("certificate")), tls.file(tls.required("key")));
  }
}

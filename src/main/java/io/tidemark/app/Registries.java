package io.tidemark.app;

import io.tidemark.app.config.RegistrySettings;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry.RegistryLogin;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Creates the client of the configured schema registry. */
public final class Registries {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private Registries() {}

  /** Returns the configured registry. The built-in registry serves the schemas of the given topics. */
  public static SchemaRegistry of(RegistrySettings settings, List<Topic<?>> topics) {
    if (settings.url() == null) {
      return new BuiltInRegistry(topics);
    }
    var login = settings.user() == null || settings.password() == null
        ? null
        : new RegistryLogin(settings.user(), settings.password().value());
    return new ConfluentRegistry(settings.url(), login, client(settings.caFile()));
  }

  /** Returns an external registry without login. */
  public static SchemaRegistry at(URI url) {
    return new ConfluentRegistry(url, null, client(null));
  }

  /** @param caFile PEM certificates to trust; null for the certificates that Java trusts */
  private static HttpClient client(@Nullable Path caFile) {
    var client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    return (caFile == null ? client : client.sslContext(sslContext(caFile))).build();
  }

  private static SSLContext sslContext(Path caFile) {
    try {
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(certificates(caFile));
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "registry.ca-file: cannot read PEM certificates from " + caFile + " (" + e + ")");
    }
  }

  private static KeyStore certificates(Path caFile) throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var file = Files.newInputStream(caFile)) {
      for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        store.setCertificateEntry("ca-" + store.size(), certificate);
      }
    }
    if (store.size() == 0) {
      throw new IOException("the file contains no certificate");
    }
    return store;
  }
}

package io.tidemark.cli.wiring;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** How a registry is reached. */
public final class RegistryHttpClient {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private RegistryHttpClient() {}

  /** @param caFile PEM certificates of those who vouch for it; null for the ones that Java knows */
  public static HttpClient client(@Nullable Path caFile) {
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
          "registry.ca-file: " + caFile + " holds no certificates in PEM that can be"
              + " read (" + e + ")");
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
      throw new IOException("none is in it");
    }
    return store;
  }
}

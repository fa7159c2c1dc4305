package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.server.ReloadedTls.TlsFiles;
import io.tidemark.kafka.embedded.Certificates;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web port with TLS, and files of its certificate that are replaced or wrong. */
class WebServerTlsTest {

  static final String KEY = AccessKeys.generate();

  @TempDir
  Path folder;

  @Test
  void tls_protectsTheCookieToo() throws Exception {
    var certificates = made("first");
    var access = new AccessControl(new AccessSettings(
        List.of(new AccessKey("ann", AccessKeys.hash(KEY), Set.of(AccessRight.READ), 100)), AnonymousAccess.NONE, null),
        InstantSource.system());

    try (var server = WebServer.start(
        listen(tls(certificates)), List.of(new LoginRoutes(access)), access, LocalServer.UNHEARD)) {
      var http = trusting(certificates);
      var base = "https://localhost:" + server.port();
      var login = http.send(HttpRequest.newBuilder(URI.create(base + "/v1/login"))
          .headers("Content-Type", "application/json", "Origin", base)
          .POST(BodyPublishers.ofString("{\"key\":\"" + KEY + "\"}")).build(), BodyHandlers.ofString());

      assertThat(login.statusCode()).isEqualTo(200);
      assertThat(login.headers().firstValue("strict-transport-security")).hasValue("max-age=31536000");
      var cookie = login.headers().firstValue("set-cookie").orElseThrow();
      assertThat(cookie).startsWith("__Host-tidemark-session-" + server.port() + "=")
          .contains("Secure", "SameSite=Strict")
          .containsIgnoringCase("; HttpOnly");
      var me = http.send(HttpRequest.newBuilder(URI.create(base + "/v1/me"))
          .header("Cookie", cookie.split(";", 2)[0]).build(), BodyHandlers.ofString());
      assertThat(me.body()).contains("\"name\":\"ann\"");
    }
  }

  @Test
  void certificateThatIsReplaced_isUsedForNewConnections() throws Exception {
    var first = made("first");
    var second = made("second");
    var files = new TlsFiles(folder.resolve("tls.crt"), folder.resolve("tls.key"));
    copy(first, files);

    try (var server = LocalServer.start(listen(files), List.of())) {
      var uri = URI.create("https://localhost:" + server.port() + "/");
      assertThat(status(trusting(first), uri)).isEqualTo(404);
      assertThatThrownBy(() -> status(trusting(second), uri)).isInstanceOf(SSLException.class);

      Files.copy(tls(second).certificate(), files.certificate(), StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(files::check).hasMessageContaining("does not match");
      assertThat(status(trusting(first), uri)).as("with one file of two").isEqualTo(404);

      copy(second, files);
      await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> status(trusting(second), uri) == 404);
    }
  }

  @Test
  void filesThatCannotBeUsed_areNamed_andNothingOfTheKeyIs() throws Exception {
    var certificates = made("first");
    var good = tls(certificates);
    assertThat(good.check()).isAfter(Instant.now());
    var text = Files.readString(good.key());
    var broken = Files.writeString(folder.resolve("broken.key"), text.replaceFirst("\n.{20}", "\n"));
    var missing = folder.resolve("none.key");

    assertThatThrownBy(() -> new TlsFiles(good.certificate(), missing).check())
        .hasMessage("tls.key: cannot read " + missing + ": NoSuchFileException");
    assertThatThrownBy(() -> new TlsFiles(good.certificate(), broken).check())
        .hasMessageContaining("cannot use " + good.certificate() + " and " + broken)
        .hasMessageContaining("PKCS #8")
        .hasMessageNotContaining(text.lines().skip(2).findFirst().orElseThrow());
    assertThatThrownBy(() -> new TlsFiles(good.certificate(), tls(made("second")).key()).check())
        .hasMessageContaining("does not match " + good.certificate());
    assertThatThrownBy(() -> LocalServer.start(listen(new TlsFiles(missing, missing)), List.of()))
        .hasMessageContaining("tls.certificate: cannot read");
  }

  private static WebServer.ListenAddress listen(TlsFiles files) {
    return new WebServer.ListenAddress("web", "127.0.0.1", 0, LocalServer.limits(10), files);
  }

  private Certificates made(String name) throws Exception {
    return Certificates.in(Files.createDirectories(folder.resolve(name)));
  }

  private static TlsFiles tls(Certificates certificates) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(certificates.keyStore())) {
      store.load(in, Certificates.PASSWORD.toCharArray());
    }
    var key = store.getKey("server", Certificates.PASSWORD.toCharArray()).getEncoded();
    var lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(key);
    var file = certificates.ca().resolveSibling("server.key");
    Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n" + lines + "\n-----END PRIVATE KEY-----\n");
    return new TlsFiles(certificates.ca(), file);
  }

  private static void copy(Certificates from, TlsFiles to) throws Exception {
    var files = tls(from);
    Files.copy(files.certificate(), to.certificate(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(files.key(), to.key(), StandardCopyOption.REPLACE_EXISTING);
  }

  private static int status(HttpClient http, URI uri) throws Exception {
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
  }

  /** A client of its own, so that no connection is used again. */
  private static HttpClient trusting(Certificates certificates) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var in = Files.newInputStream(certificates.ca())) {
      store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).connectTimeout(Duration.ofSeconds(10)).build();
  }
}

package io.tidemark.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** The client before a server whose certificate nobody vouches for. */
class TlsTest {
  private static final String PASSWORD = "changeit";

  @TempDir
  private Path folder;

  @Test
  void untrustedCertificate_isUnreachable_andTheKeyIsNotSent() throws Exception {
    var requested = new AtomicBoolean();
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(selfSigned()));
    server.createContext("/", exchange -> requested.set(true));
    server.start();
    var url = URI.create("https://localhost:" + server.getAddress().getPort() + "/api/v3");
    var settings = HttpClientSettings.of(url, new ApiKey("CG-key")).withRetries(0, Duration.ZERO);

    try (var market =
        new HttpMarketData(settings, Mono::empty, InstantSource.system(), new ServiceClock(System::nanoTime))) {
      assertThatThrownBy(() -> market.global(new Query.GlobalMarket()).block())
          .isInstanceOf(Failure.Unreachable.class)
          .hasMessageContaining("certification path");
      assertThat(requested).isFalse();
    } finally {
      server.stop(0);
    }
  }

  private SSLContext selfSigned() throws Exception {
    var file = folder.resolve("key.p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var made = new ProcessBuilder(keytool, "-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=localhost",
        "-ext", "san=dns:localhost", "-validity", "2", "-storetype", "PKCS12", "-keystore", file.toString(),
        "-storepass", PASSWORD).inheritIO().start().waitFor();
    assertThat(made).isZero();
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    var context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}

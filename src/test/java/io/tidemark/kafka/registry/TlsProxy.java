package io.tidemark.kafka.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.tidemark.kafka.embedded.Certificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A proxy that adds TLS and a login to a server that has neither. */
public final class TlsProxy implements AutoCloseable {

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI behind;
  private final String authorization;
  private final HttpsServer server;

  /** @param login {@code user:password} */
  public TlsProxy(URI behind, String login, Certificates certificates) throws Exception {
    this.behind = behind;
    this.authorization = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8));
    this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(certificates)));
    server.createContext("/", this::pass);
    server.start();
  }

  public URI url() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    client.close();
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      var sent = exchange.getRequestBody().readAllBytes();
      if (!List.of(authorization).equals(exchange.getRequestHeaders().get("Authorization"))) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      var request = HttpRequest.newBuilder(behind.resolve(exchange.getRequestURI().toString()))
          .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(sent));
      if (sent.length > 0) {
        request.header("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"));
      }
      var answer = client.send(request.build(), BodyHandlers.ofByteArray());
      exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static SSLContext context(Certificates certificates) throws Exception {
    var password = Certificates.PASSWORD.toCharArray();
    var store = KeyStore.getInstance("PKCS12");
    try (var file = Files.newInputStream(certificates.keyStore())) {
      store.load(file, password);
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}

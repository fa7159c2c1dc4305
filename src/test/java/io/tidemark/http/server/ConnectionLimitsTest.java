package io.tidemark.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** A listener before clients that open much and send little. */
@Timeout(120)
class ConnectionLimitsTest {

  private static final int MOST = 5;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration NEVER = Duration.ofMinutes(5);
  private static final ConnectionLimits PATIENT = new ConnectionLimits(MOST, MOST, NEVER, NEVER, NEVER);
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String HALF_A_REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n";

  private final List<Socket> clients = new ArrayList<>();
  private DisposableServer server;

  @AfterEach
  void close() throws IOException {
    for (var client : clients) {
      client.close();
    }
    server.disposeNow();
  }

  @Test
  void connectionBeyondTheLimit_isAnsweredWith503_andTheOthersGoOn() throws IOException {
    start(PATIENT);
    var admitted = IntStream.range(0, MOST).mapToObj(i -> connect(REQUEST)).toList();
    for (var client : admitted) {
      assertThat(firstLine(client)).isEqualTo("HTTP/1.1 200 OK");
    }

    assertThat(all(connect(""))).startsWith("HTTP/1.1 503 ").contains("retry-after: ");
    send(admitted.getFirst(), REQUEST);
    assertThat(firstLine(admitted.getFirst())).isEqualTo("HTTP/1.1 200 OK");

    admitted.getLast().close();
    await().untilAsserted(() -> assertThat(firstLine(connect(REQUEST))).isEqualTo("HTTP/1.1 200 OK"));
  }

  @Test
  void addressAtItsLimit_leavesConnectionsToOtherAddresses() throws IOException {
    start(new ConnectionLimits(MOST, 3, NEVER, NEVER, NEVER));
    var attacker = IntStream.range(0, 3).mapToObj(i -> connect(HALF_A_REQUEST)).toList();

    await().untilAsserted(() -> assertThat(all(connect(""))).startsWith("HTTP/1.1 503 "));
    assertThat(firstLine(connect("127.0.0.2", REQUEST))).isEqualTo("HTTP/1.1 200 OK");

    attacker.getFirst().close();
    await().untilAsserted(() -> assertThat(firstLine(connect(REQUEST))).isEqualTo("HTTP/1.1 200 OK"));
  }

  @Test
  void halfOpenRequests_areClosedInTime_andMakeRoom() throws IOException {
    start(new ConnectionLimits(MOST, MOST, SHORT, NEVER, NEVER));
    var half = IntStream.range(0, MOST).mapToObj(i -> connect(HALF_A_REQUEST)).toList();

    for (var client : half) {
      assertThat(all(client)).startsWith("HTTP/1.1 408 ");
    }
    assertThat(firstLine(connect(REQUEST))).isEqualTo("HTTP/1.1 200 OK");
  }

  @Test
  void silentConnection_isClosed() throws IOException {
    start(new ConnectionLimits(MOST, MOST, SHORT, NEVER, NEVER));

    assertThat(all(connect(""))).startsWith("HTTP/1.1 408 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {HALF_A_REQUEST, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"})
  void requestThatDripsIn_isClosedAtItsDeadline(String start) throws IOException {
    start(new ConnectionLimits(MOST, MOST, SHORT, NEVER, NEVER));
    var client = connect(start);

    await().pollInterval(Duration.ofMillis(50)).until(() -> isClosedOnSending(client, "x"));
  }

  @Test
  void idleConnection_isClosedAfterItsResponse() throws IOException {
    start(new ConnectionLimits(MOST, MOST, NEVER, NEVER, SHORT));
    var client = connect(REQUEST);

    assertThat(all(client)).startsWith("HTTP/1.1 200 OK");
  }

  @Test
  void responseThatIsNotRead_isClosedAtItsDeadline() throws IOException {
    start(new ConnectionLimits(1, 1, NEVER, SHORT, NEVER));
    connect("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");

    await().untilAsserted(() -> assertThat(firstLine(connect(REQUEST))).isEqualTo("HTTP/1.1 200 OK"));
  }

  @Test
  void headBeyondItsSize_isRefused() throws IOException {
    start(PATIENT);

    assertThat(all(connect(HALF_A_REQUEST + "X-Long: " + "x".repeat(20_000) + "\r\n\r\n"))).startsWith("HTTP/1.1 431 ");
    assertThat(all(connect("GET /" + "x".repeat(10_000) + " HTTP/1.1\r\n\r\n"))).startsWith("HTTP/1.1 414 ");
  }

  @Test
  void bodyBeyondItsSize_isRefused() throws IOException {
    start(PATIENT);

    var client = connect("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n" + "x".repeat((4 << 20) + 1));

    assertThat(all(client)).startsWith("HTTP/1.1 413 ");
  }

  @Test
  void manyRequestsWithoutWaitingForAnswers_areRefused() throws IOException {
    start(PATIENT);

    var client = connect("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50));

    assertThat(all(client)).startsWith("HTTP/1.1 429 ");
  }

  @Test
  void noConnections_areRejectedAsALimit() {
    server = HttpServer.create().host("127.0.0.1").port(0).bindNow();

    assertThatThrownBy(() -> ConnectionLimits.of(0, 0)).hasMessageContaining("max-connections");
  }

  private void start(ConnectionLimits limits) {
    server = limits.applyTo(HttpServer.create(), "a test")
        .host("127.0.0.1")
        .port(0)
        .route(routes -> routes
            .get("/", (request, response) -> response.sendString(Mono.just("fine")))
            .post("/", (request, response) -> request.receive().then(response.send()))
            .get("/endless", (request, response) -> response.sendString(Flux.just("x".repeat(10_000)).repeat()))
            .get("/slow", (request, response) -> Mono.never()))
        .bindNow();
  }

  private Socket connect(String text) {
    return connect("127.0.0.1", text);
  }

  /** @param from one of the addresses of this machine */
  private Socket connect(String from, String text) {
    try {
      var client =
          new Socket(InetAddress.getLoopbackAddress(), server.port(), InetAddress.getByName(from), 0);
      clients.add(client);
      client.setSoTimeout(10_000);
      send(client, text);
      return client;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Whether the server has closed the connection: the first write after that is answered with a reset. */
  private static boolean isClosedOnSending(Socket client, String text) {
    try {
      send(client, text);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** The first line of a response, of which the rest is read, too. */
  private static String firstLine(Socket client) throws IOException {
    var in = client.getInputStream();
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append(next(in));
    }
    if (head.indexOf(" 200 OK") > 0) {
      while (!head.toString().endsWith("fine") && !head.toString().endsWith("0\r\n\r\n")) {
        head.append(next(in));
      }
    }
    return head.substring(0, head.indexOf("\r\n"));
  }

  private static char next(InputStream in) throws IOException {
    int one = in.read();
    if (one < 0) {
      throw new IOException("the connection is closed");
    }
    return (char) one;
  }

  /** All that the server sends until it closes the connection. */
  private static String all(Socket client) throws IOException {
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }
}

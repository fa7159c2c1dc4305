package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.serve.feed.FeedRefusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRoutes;

class WebServerTest {

  @Test
  void takenPort_isNamedWithTheWayOut() throws Exception {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var settings = LocalServer.address("127.0.0.1", other.getLocalPort());

      assertThatThrownBy(() -> LocalServer.start(settings, List.of()))
          .hasMessageContaining("127.0.0.1 port " + other.getLocalPort())
          .hasMessageContaining("web.port");
    }
  }

  @Test
  void addressOfAnotherMachine_isNamed() {
    var settings = LocalServer.address("192.0.2.1", 0);

    assertThatThrownBy(() -> LocalServer.start(settings, List.of())).hasMessageContaining("192.0.2.1");
  }

  @Test
  void connectionBeyondTheLimit_isAnsweredWith503() throws Exception {
    var settings = new WebServer.ListenAddress("web", "127.0.0.1", 0, LocalServer.limits(1), null);

    try (var server = LocalServer.start(settings, List.of());
        var first = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      first.getOutputStream().write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      assertThat(status(first)).isEqualTo("HTTP/1.1 404");
      try (var second = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        assertThat(status(second)).isEqualTo("HTTP/1.1 503");
      }
    }
  }

  @Test
  void idleConnection_isClosedWithTheServer() throws Exception {
    var server = LocalServer.start(List.of());
    try (var connection = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      connection.setSoTimeout(10_000);
      connection.getOutputStream().write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      assertThat(status(connection)).isEqualTo("HTTP/1.1 404");

      server.close();

      connection.getInputStream().readAllBytes(); // ends, and does not time out
    }
  }

  @Test
  void answersAndConnections_areHeardOf_streamsAreNot() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    var listener = new ConnectionListener() {
      @Override
      public void opened() {
        heard.add("opened");
      }

      @Override
      public void closed() {
        heard.add("closed");
      }

      @Override
      public void answered(int status, long nanos) {
        heard.add(status + (nanos >= 0 && nanos < 60_000_000_000L ? "" : " in " + nanos));
      }
    };
    Consumer<HttpServerRoutes> routes = all -> all
        .get("/stream", (request, response) -> response.sse().sendString(Mono.just("data: 1\n\n")))
        .get("/refused", (request, response) -> response.status(403).send());
    try (var server = WebServer.start(
        new WebServer.ListenAddress("web", "127.0.0.1", 0, LocalServer.limits(1), null), List.of(routes),
        AccessControl.open(), listener);
        var connection = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      for (var path : List.of("/stream", "/refused", "/nothing")) {
        connection.getOutputStream().write(
            "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(US_ASCII));
      }
      assertThat(heard.take()).isEqualTo("opened");
      assertThat(heard.take()).isEqualTo("403");
      assertThat(heard.take()).isEqualTo("404");
      try (var second = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        assertThat(status(second)).isEqualTo("HTTP/1.1 503");
        assertThat(List.of(heard.take(), heard.take(), heard.take())).containsExactly("opened", "503", "closed");
      }
    }
    assertThat(heard.take()).isEqualTo("closed");
  }

  @Test
  void routeThatRefuses_isAnsweredWithStatusMessageAndTime() throws Exception {
    Consumer<HttpServerRoutes> routes = all -> all.get("/{status}", (request, response) -> Mono.error(
        "429".equals(request.param("status")) ? FeedRefusal.tooManyRequests("later") : FeedRefusal.notFound("never")));
    try (var server = LocalServer.start(List.of(routes)); var http = HttpClient.newHttpClient()) {
      var root = URI.create("http://127.0.0.1:" + server.port());
      var later = http.send(HttpRequest.newBuilder(root.resolve("/429")).build(), BodyHandlers.ofString());
      var never = http.send(HttpRequest.newBuilder(root.resolve("/404")).build(), BodyHandlers.ofString());

      assertThat(List.of(later.statusCode(), never.statusCode())).containsExactly(429, 404);
      assertThat(later.body()).isEqualTo("{\"error\":\"later\"}");
      assertThat(later.headers().firstValue("retry-after")).hasValue("5");
      assertThat(never.headers().firstValue("retry-after")).isEmpty();
    }
  }

  private static String status(Socket connection) throws IOException {
    return new String(connection.getInputStream().readNBytes(12), US_ASCII);
  }

  @Test
  void impossiblePort_isRejected() {
    assertThatThrownBy(() -> LocalServer.address("127.0.0.1", 70_000)).hasMessageContaining("web.port");
  }
}

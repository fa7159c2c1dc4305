package io.tidemark.web;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.http.server.ConnectionLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebServerTest {

  @Test
  void takenPort_isNamedWithTheWayOut() throws Exception {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var settings = new WebServer.ListenAddress("127.0.0.1", other.getLocalPort());

      assertThatThrownBy(() -> WebServer.start(settings, List.of()))
          .hasMessageContaining("127.0.0.1 port " + other.getLocalPort())
          .hasMessageContaining("web.port");
    }
  }

  @Test
  void addressOfAnotherMachine_isNamed() {
    var settings = new WebServer.ListenAddress("192.0.2.1", 0);

    assertThatThrownBy(() -> WebServer.start(settings, List.of())).hasMessageContaining("192.0.2.1");
  }

  @Test
  void connectionBeyondTheLimit_isAnsweredWith503() throws Exception {
    var settings = new WebServer.ListenAddress("web", "127.0.0.1", 0, ConnectionLimits.of(1));

    try (var server = WebServer.start(settings, List.of());
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
    var server = WebServer.start(new WebServer.ListenAddress("127.0.0.1", 0), List.of());
    try (var connection = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      connection.setSoTimeout(10_000);
      connection.getOutputStream().write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      assertThat(status(connection)).isEqualTo("HTTP/1.1 404");

      server.close();

      connection.getInputStream().readAllBytes(); // ends, and does not time out
    }
  }

  private static String status(Socket connection) throws IOException {
    return new String(connection.getInputStream().readNBytes(12), US_ASCII);
  }

  @Test
  void impossiblePort_isRejected() {
    assertThatThrownBy(() -> new WebServer.ListenAddress("127.0.0.1", 70_000)).hasMessageContaining("web.port");
  }
}

package io.tidemark.web;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
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
  void impossiblePort_isRejected() {
    assertThatThrownBy(() -> new WebServer.ListenAddress("127.0.0.1", 70_000)).hasMessageContaining("web.port");
  }
}

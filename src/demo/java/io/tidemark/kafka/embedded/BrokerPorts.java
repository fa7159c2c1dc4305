package io.tidemark.kafka.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The two ports of a broker. They were free when they were chosen. */
record BrokerPorts(int client, int controller) {

  /**
   * Chooses the wanted client port, or any free client port if {@code wanted} is 0, and any free controller port. The
   * ports are not held: another program may take them before the broker does.
   *
   * @throws BindException if the wanted port is taken
   */
  static BrokerPorts reserve(int wanted) throws IOException {
    try (var client = bound(wanted);
        var controller = bound(0)) {
      return new BrokerPorts(client.getLocalPort(), controller.getLocalPort());
    }
  }

  private static ServerSocket bound(int port) throws IOException {
    var socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw portTaken(port, e);
    }
  }

  private static IOException portTaken(int port, IOException cause) {
    var failure = new BindException("port " + port + " is taken: stop what listens on 127.0.0.1:" + port
        + " or choose another Kafka port (0 takes any free one)");
    failure.initCause(cause);
    return failure;
  }
}

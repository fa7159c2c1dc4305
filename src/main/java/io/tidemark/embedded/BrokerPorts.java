package io.tidemark.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The two ports of a node, free when they were picked. */
record BrokerPorts(int client, int controller) {

  /**
   * The wanted client port, 0 for any, and some controller port.
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
      throw taken(port, e);
    }
  }

  private static IOException taken(int port, IOException cause) {
    var taken = new BindException("port " + port + " is taken: stop what listens on 127.0.0.1:" + port
        + " or choose another Kafka port (0 takes any free one)");
    taken.initCause(cause);
    return taken;
  }
}

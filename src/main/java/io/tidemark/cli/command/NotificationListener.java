package io.tidemark.cli.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * A receiver on this machine that passes on the body of each POST request, to show the notifications that receivers
 * get.
 */
final class NotificationListener implements AutoCloseable {

  private static final int MOST_BYTES = 64 * 1024;

  private final HttpServer server;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  private NotificationListener(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens on the loopback address.
   *
   * @param port 0 for any free port
   * @param bodies receives the bodies one after another, up to 64 KiB of each
   */
  static NotificationListener start(int port, Consumer<String> bodies) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    var listener = new NotificationListener(server);
    server.createContext("/", exchange -> answer(exchange, bodies));
    server.setExecutor(listener.thread);
    server.start();
    return listener;
  }

  /** Passes on a body only after the response was sent, since the consumer of the body may close the listener. */
  private static void answer(HttpExchange exchange, Consumer<String> bodies) throws IOException {
    var isNotification = exchange.getRequestMethod().equals("POST");
    byte[] body;
    try (exchange; var in = exchange.getRequestBody()) {
      body = in.readNBytes(MOST_BYTES);
      exchange.sendResponseHeaders(isNotification ? 204 : 405, -1);
    }
    if (isNotification) {
      bodies.accept(new String(body, StandardCharsets.UTF_8));
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
  }
}

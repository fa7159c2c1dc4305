package io.tidemark.http.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of raw bytes: runs its script after the head of each request, and closes. */
final class RawHttpServer implements AutoCloseable {
  private final ServerSocket socket;
  private final List<String> requests = new CopyOnWriteArrayList<>();

  private RawHttpServer(ServerSocket socket) {
    this.socket = socket;
  }

  /** Does the same for every request. */
  static RawHttpServer doing(Act act) throws IOException {
    return doing(List.of(act));
  }

  /** Acts in turn, the last one ever after. */
  static RawHttpServer doing(List<Act> acts) throws IOException {
    var server = new RawHttpServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual().start(() -> server.serve(acts));
    return server;
  }

  /** Answers with these lines and this body, to the end of the connection. */
  static Act answer(String head, byte[] body) {
    return (socket, out) -> {
      out.write(("HTTP/1.1 " + head + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      out.write(body);
    };
  }

  static Act answer(String head, String body) {
    return answer(head, body.getBytes(StandardCharsets.UTF_8));
  }

  URI baseUrl() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/api/v3");
  }

  /** Heads of all requests so far. */
  List<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private void serve(List<Act> acts) {
    for (int i = 0; !socket.isClosed(); i++) {
      var act = acts.get(Math.min(i, acts.size() - 1));
      try {
        var connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection, act));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket connection, Act act) {
    try (connection) {
      requests.add(head(connection));
      act.on(connection, connection.getOutputStream());
      connection.getOutputStream().flush();
    } catch (IOException e) {
      // the client closed the connection, as tests of failures expect
    }
  }

  private static String head(Socket connection) throws IOException {
    var in = new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
    var head = new StringBuilder();
    for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      head.append(line).append('\n');
    }
    return head.toString();
  }

  /** What is done with a connection once a request is read. */
  interface Act {
    void on(Socket connection, OutputStream out) throws IOException;
  }
}

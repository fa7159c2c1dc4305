package io.tidemark.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** A local TCP proxy whose network conditions can change, also for open connections. */
public final class Proxy implements AutoCloseable {

  private final ServerSocket listening;
  private final IntSupplier target;
  private final Tap tap;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile NetworkConditions conditions = NetworkConditions.FAIR;

  private Proxy(ServerSocket listening, IntSupplier target, Tap tap) {
    this.listening = listening;
    this.target = target;
    this.tap = tap;
  }

  /** Sees what clients send; returns false to cut the connection instead of forwarding it. */
  @FunctionalInterface
  public interface Tap {
    boolean see(Object connection, byte[] bytes, int length);
  }

  public static Proxy to(int port) {
    return to(() -> port, (connection, bytes, length) -> true);
  }

  /** @param target returns the port of the target; called for each connection */
  public static Proxy to(IntSupplier target, Tap tap) {
    try {
      var proxy = new Proxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target, tap);
      Thread.ofVirtual().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** Sets the conditions of all open and new connections. */
  public void set(NetworkConditions now) {
    conditions = now;
    if (now.refuses()) {
      open.forEach(this::reset);
    }
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        var client = listening.accept();
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException e) {
        // closed
      }
    }
  }

  private void connect(Socket client) {
    open.add(client);
    if (conditions.refuses()) {
      reset(client);
      return;
    }
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), target.getAsInt());
      open.add(server);
      Thread.ofVirtual().start(() -> pass(server, client, (connection, bytes, length) -> true, true));
      pass(client, server, tap, false);
    } catch (IOException e) {
      reset(client);
    }
  }

  private void pass(Socket from, Socket to, Tap tap, boolean answers) {
    try {
      pump(from, from.getInputStream(), to.getOutputStream(), tap, answers);
      close(from);
      close(to);
    } catch (IOException e) {
      reset(from);
      reset(to);
    }
  }

  private void pump(Socket from, InputStream in, OutputStream out, Tap tap, boolean answers) throws IOException {
    var bytes = new byte[NetworkConditions.FAIR.pieces()];
    var passed = 0L;
    for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
      if (!tap.see(from, bytes, length)) {
        throw new IOException("cut by the tap");
      }
      if (!answers && conditions.answer() != null) {
        from.getOutputStream().write(conditions.answer());
        continue;
      }
      for (int sent = 0; sent < length;) {
        var now = conditions;
        pause(now);
        var piece = Math.min(now.pieces(), length - sent);
        if (answers && passed + piece > now.bound()) {
          out.write(bytes, sent, (int) Math.max(0, now.bound() - passed));
          throw new IOException("cut");
        }
        if (!now.swallows()) {
          out.write(bytes, sent, piece);
        }
        sent += piece;
        passed += piece;
      }
    }
  }

  private static void pause(NetworkConditions now) throws IOException {
    try {
      Thread.sleep(now.latency());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // already closed
    }
  }

  private void reset(Socket socket) {
    open.remove(socket);
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // already closed
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(this::reset);
  }
}

package io.tidemark.fault;

import io.tidemark.fault.NetworkConditions.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A TCP proxy whose network conditions can change, also for open connections and by the address of the client. */
public final class Proxy implements AutoCloseable {
  private static final Duration HELD = Duration.ofMillis(5);

  private final ServerSocket listening;
  private final Supplier<InetSocketAddress> target;
  private final Tap tap;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Map<InetAddress, NetworkConditions> byClient = new ConcurrentHashMap<>();
  private volatile NetworkConditions conditions = NetworkConditions.FAIR;

  private Proxy(ServerSocket listening, Supplier<InetSocketAddress> target, Tap tap) {
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
    var local = InetAddress.getLoopbackAddress();
    return listen(local, () -> new InetSocketAddress(local, target.getAsInt()), tap);
  }

  /** Returns a proxy on a free port of an address of this machine, to a target that may be elsewhere. */
  public static Proxy on(InetAddress address, InetSocketAddress target) {
    return listen(address, () -> target, (connection, bytes, length) -> true);
  }

  private static Proxy listen(InetAddress address, Supplier<InetSocketAddress> target, Tap tap) {
    try {
      var proxy = new Proxy(new ServerSocket(0, 50, address), target, tap);
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

  /** Sets the conditions of the open and new connections of one client. */
  public void set(InetAddress client, NetworkConditions now) {
    byClient.put(client, now);
    if (now.refuses()) {
      open.stream().filter(each -> each.getInetAddress().equals(client)).forEach(this::reset);
    }
  }

  private NetworkConditions conditions(Socket client) {
    return byClient.getOrDefault(client.getInetAddress(), conditions);
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
    if (conditions(client).refuses()) {
      reset(client);
      return;
    }
    try {
      var server = new Socket(target.get().getAddress(), target.get().getPort());
      open.add(server);
      Thread.ofVirtual().start(() -> pass(client, server, client, tap, true));
      pass(client, client, server, tap, false);
    } catch (IOException e) {
      reset(client);
    }
  }

  private void pass(Socket client, Socket from, Socket to, Tap tap, boolean answers) {
    var direction = answers ? Direction.ANSWERS : Direction.REQUESTS;
    try {
      pump(client, from.getInputStream(), to.getOutputStream(), tap, answers);
      awaitFlow(client, direction);
      close(from);
      close(to);
    } catch (IOException e) {
      awaitFlow(client, direction);
      reset(from);
      reset(to);
    }
  }

  private void pump(Socket client, InputStream in, OutputStream out, Tap tap, boolean answers) throws IOException {
    var bytes = new byte[NetworkConditions.FAIR.pieces()];
    var passed = 0L;
    for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
      if (!answers && !tap.see(client, bytes, length)) {
        throw new IOException("cut by the tap");
      }
      if (!answers && conditions(client).answer() != null) {
        client.getOutputStream().write(conditions(client).answer());
        continue;
      }
      for (int sent = 0; sent < length;) {
        awaitFlow(client, answers ? Direction.ANSWERS : Direction.REQUESTS);
        var now = conditions(client);
        pause(now.latency());
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

  /** Waits while the network holds everything in a direction, also the end of a connection. */
  private void awaitFlow(Socket client, Direction direction) {
    while (!listening.isClosed() && conditions(client).held().contains(direction)) {
      pause(HELD);
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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

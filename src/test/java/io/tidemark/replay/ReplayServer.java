package io.tidemark.replay;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Serves recorded bodies: for each target one after the other, and the last one from then on. Other
 * targets are not found.
 */
public final class ReplayServer implements AutoCloseable {
  private static final String PREFIX = "/api/v3";
  private static final DateTimeFormatter HTTP_TIME = DateTimeFormatter.RFC_1123_DATE_TIME;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InstantSource clock;
  private final Map<String, List<Answer>> answers;
  private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
  private final Map<String, Served> served = new ConcurrentHashMap<>();

  /**
   * One recorded answer.
   *
   * @param age how old the service says it is
   */
  public record Answer(String body, Duration age) {
    public static Answer fresh(String body) {
      return new Answer(body, Duration.ZERO);
    }

    byte[] bytes() {
      return body.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** A served answer with its path and query. */
  public record Served(String url, Answer answer) {}

  private ReplayServer(HttpServer server, Map<String, List<Answer>> answers, InstantSource clock) {
    this.server = server;
    this.answers = new HashMap<>(answers);
    this.clock = clock;
  }

  /**
   * Listens on a free port.
   *
   * @param answers by path behind the base address, with its query where another query has other answers
   */
  public static ReplayServer start(Map<String, List<Answer>> answers, InstantSource clock) {
    try {
      var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      var replay = new ReplayServer(http, answers, clock);
      http.setExecutor(replay.threads);
      http.createContext("/", replay::answer);
      http.start();
      return replay;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public URI baseUrl() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PREFIX);
  }

  /** How many requests of a target were answered. */
  public int requests(String target) {
    AtomicInteger times = requests.get(target);
    return times == null ? 0 : times.get();
  }

  /** All served answers, by their {@code x-request-id}. */
  public Map<String, Served> served() {
    return Map.copyOf(served);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      URI uri = exchange.getRequestURI();
      String target = target(uri);
      if (target == null) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      List<Answer> recorded = answers.getOrDefault(target, List.of());
      int turn = requests.computeIfAbsent(target, any -> new AtomicInteger()).getAndIncrement();
      send(exchange, target + "#" + turn, recorded.get(Math.min(turn, recorded.size() - 1)));
    }
  }

  private @Nullable String target(URI uri) {
    String path = uri.getPath().substring(Math.min(PREFIX.length(), uri.getPath().length()));
    String whole = uri.getQuery() == null ? path : path + "?" + uri.getQuery();
    return answers.containsKey(whole) ? whole : answers.containsKey(path) ? path : null;
  }

  private void send(HttpExchange exchange, String id, Answer answer) throws IOException {
    served.put(id, new Served(exchange.getRequestURI().toString(), answer));
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/json; charset=utf-8");
    headers.set("Date", HTTP_TIME.format(clock.instant().atOffset(ZoneOffset.UTC)));
    headers.set("Age", String.valueOf(answer.age().toSeconds()));
    headers.set("x-request-id", id);
    byte[] body = answer.bytes();
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }
}

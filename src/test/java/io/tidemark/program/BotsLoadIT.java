package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.serve.web.StreamClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as trading programs use it: 20 clients at once, four of each kind: the mirror, the newest records, OHLCV,
 * the WebSocket and Server-Sent Events. Those that request do so twice a second, for pools that changed lately. Calls
 * are as the program itself counts them. {@code -Dtidemark.bots.minutes=60} goes on for so long; {@code -Dtidemark.bots.web=127.0.0.1:8080} uses
 * a demo that is already started, such as that of a container.
 */
class BotsLoadIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration LASTS = Duration.ofMinutes(Integer.getInteger("tidemark.bots.minutes", 0));
  private static final String STARTED = System.getProperty("tidemark.bots.web", "");
  private static final Duration ROW = Duration.ofMinutes(10);

  private static final int CLIENTS_OF_A_KIND = 4;
  private static final int LEAST_REQUESTS = 100;
  private static final int LEAST_RECORDS = 50;
  private static final long PERIOD_MILLIS = 500;
  private static final int MOST_MILLIS = 50;
  private static final int POOLS = 100;

  /** Part of the requests that may be for a pool that has left all lists since: the mirror has only what is watched. */
  private static final double MOST_NOT_FOUND = 0.05;

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir
  Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(CLIENTS_OF_A_KIND);
  private final Map<String, Queue<Double>> millis = new LinkedHashMap<>();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final List<StreamClient> sockets = new ArrayList<>();
  private final List<FollowedChanges> followed = new ArrayList<>();
  private final AtomicLong mostCallsAMinute = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong notFound = new AtomicLong();
  private int clients;

  /** Keys of the pools that changed last, the newest one last. */
  private final Set<String> pools = new LinkedHashSet<>();
  private ChildPrograms processes;
  private String web;

  @AfterEach
  void stop() throws Exception {
    timer.shutdownNow();
    sockets.forEach(StreamClient::close);
    http.shutdownNow();
    processes.stop();
  }

  @Test
  void twentyClients_areAnswered_withinTheBudget() throws Exception {
    processes = new ChildPrograms(folder);
    web = STARTED.isEmpty() ? ChildPrograms.find(ChildPrograms.PAGE, processes.startDemo()) : STARTED;
    var networks = "/api/v3/onchain/networks/";
    for (var i = 0; i < CLIENTS_OF_A_KIND; i++) {
      followBySocket();
      followByEvents();
    }
    await().atMost(TIMEOUT).until(() -> pool(0) != null);
    for (var i = 0; i < CLIENTS_OF_A_KIND; i++) {
      request("mirror", each -> networks + path(pool(each)));
      request("latest", each -> "/v1/latest/pool.state?key=" + pool(each));
      request("ohlcv", each -> networks + path(pool(each)) + "/ohlcv/minute?limit=100");
    }
    timer.scheduleAtFixedRate(this::watchBudget, 0, 1, TimeUnit.SECONDS);

    var begun = System.nanoTime();
    System.out.println("| time | kind | requests | p50 | p99 | longest | limit of p99 |");
    for (var rows = 1; System.nanoTime() - begun < LASTS.toNanos(); rows++) {
      var until = begun + ROW.toNanos() * rows;
      await().atMost(ROW.plus(TIMEOUT)).pollInterval(Duration.ofSeconds(1)).until(() -> System.nanoTime() > until);
      print(ROW.toMinutes() * rows);
    }
    await().atMost(TIMEOUT).until(() -> !wrong.isEmpty() || isEnough());
    print(TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - begun));

    timer.shutdownNow();
    assertThat(wrong).isEmpty();
    System.out.printf("requests for pools that are gone: %d of %d%n", notFound.get(), requests.get());
    assertThat(notFound.get()).isLessThan((long) (requests.get() * MOST_NOT_FOUND));
    assertThat(sockets).allMatch(each -> each.closedWith == 0);
    assertAllFollowedTheSame();
    var budget = budget();
    System.out.printf("most calls in a minute: %d of %d%n", mostCallsAMinute.get(), budget.path("per_minute").asLong());
    assertThat(mostCallsAMinute.get()).isPositive().isLessThanOrEqualTo(budget.path("per_minute").asLong());
  }

  private boolean isEnough() {
    return millis.values().stream().allMatch(each -> each.size() >= LEAST_REQUESTS)
        && followed.stream().allMatch(each -> each.count() >= LEAST_RECORDS)
        && mostCallsAMinute.get() > 0;
  }

  /** What a client requests for the nth time. */
  private interface Requests {
    String path(int number);
  }

  private void request(String kind, Requests of) {
    var times = millis.computeIfAbsent(kind, any -> new ConcurrentLinkedQueue<>());
    var number = new AtomicInteger(clients++ * POOLS / CLIENTS_OF_A_KIND);
    await(kind).atMost(TIMEOUT).until(() -> send(of.path(0)).join().statusCode() == 200);
    timer.scheduleAtFixedRate(() -> {
      var path = of.path(number.getAndIncrement());
      var begun = System.nanoTime();
      send(path).whenComplete((answer, failure) -> {
        times.add((System.nanoTime() - begun) / 1e6);
        check(path, answer, failure);
      });
    }, clients * 37L, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private CompletableFuture<HttpResponse<String>> send(String path) {
    return http.sendAsync(
        HttpRequest.newBuilder(URI.create("http://" + web + path)).timeout(Duration.ofSeconds(30)).build(),
        BodyHandlers.ofString());
  }

  private void check(String path, HttpResponse<String> answer, Throwable failure) {
    if (timer.isShutdown()) {
      return; // the end of the test
    }
    if (failure != null) {
      wrong.add(path + ": " + failure);
      return;
    }
    requests.incrementAndGet();
    if (answer.statusCode() == 404) {
      notFound.incrementAndGet();
    } else if (answer.statusCode() != 200) {
      wrong.add(path + ": " + answer.statusCode() + " " + answer.body());
    }
  }

  private void followBySocket() {
    var read = new FollowedChanges();
    followed.add(read);
    var address = URI.create("http://" + web);
    var client = new StreamClient(address.getPort(), "/v1/stream");
    sockets.add(client);
    client.subscribe("pool.changes");
    timer.scheduleAtFixedRate(() -> client.drain().forEach(message -> {
      var event = message.at("/message/event").asText();
      if (event.equals("record")) {
        read.add(message.at("/message/data"));
      } else if (List.of("gap", "end", "unreadable").contains(event)) {
        wrong.add("stream: " + message);
      }
    }), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void followByEvents() {
    var read = new FollowedChanges();
    followed.add(read);
    Thread.ofVirtual().start(() -> {
      try (var lines = new BufferedReader(new InputStreamReader(http.send(
          HttpRequest.newBuilder(URI.create("http://" + web + "/v1/feeds/pool.changes")).build(),
          BodyHandlers.ofInputStream()).body(), StandardCharsets.UTF_8))) {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.equals("event: record")) {
            read.add(JSON.readTree(lines.readLine().substring("data: ".length())));
          } else if (line.matches("event: (gap|end|unreadable)") && !timer.isShutdown()) {
            wrong.add("feed: " + line + " " + lines.readLine());
          }
        }
        if (!timer.isShutdown()) {
          wrong.add("feed: the connection ended");
        }
      } catch (IOException e) {
        if (!timer.isShutdown()) {
          wrong.add("feed: " + e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  /** The changes that a client has read: their offsets by partition. */
  private final class FollowedChanges {
    private final Map<Integer, BitSet> offsets = new HashMap<>();

    synchronized void add(JsonNode change) {
      noteChanged(change.path("key").asText());
      offsets.computeIfAbsent(change.path("partition").asInt(), any -> new BitSet()).set(change.path("offset").asInt());
    }

    synchronized int count() {
      return offsets.values().stream().mapToInt(BitSet::cardinality).sum();
    }

    synchronized BitSet of(int partition) {
      return (BitSet) offsets.getOrDefault(partition, new BitSet()).clone();
    }

    synchronized Set<Integer> partitions() {
      return Set.copyOf(offsets.keySet());
    }
  }

  /** Between the last first record of any client and the first last one, all have the same. */
  private void assertAllFollowedTheSame() {
    for (var partition : followed.getFirst().partitions()) {
      var all = followed.stream().map(each -> each.of(partition)).toList();
      var from = all.stream().mapToInt(each -> each.nextSetBit(0)).max().orElseThrow();
      var to = all.stream().mapToInt(BitSet::length).min().orElseThrow();
      assertThat(all.stream().map(each -> from < to ? each.get(from, to) : each.get(0, 0)).distinct())
          .as("changes of partition %d from %d to %d", partition, from, to).hasSize(1);
    }
  }

  private void watchBudget() {
    try {
      mostCallsAMinute.accumulateAndGet(budget().path("last_minute").asLong(), Math::max);
    } catch (UncheckedIOException e) {
      if (!timer.isShutdown()) {
        wrong.add("status: " + e);
      }
    }
  }

  private JsonNode budget() {
    return json("/v1/status").at("/sources/0/budget");
  }

  /** Names of networks may have an underscore, addresses have none. */
  private static String path(String pool) {
    return pool.replaceFirst("_(?=[^_]+$)", "/pools/");
  }

  private void noteChanged(String pool) {
    synchronized (pools) {
      pools.remove(pool);
      pools.add(pool);
      if (pools.size() > POOLS) {
        pools.remove(pools.iterator().next());
      }
    }
  }

  /** The key of one of the pools that changed last, or null as long as there are few. */
  private String pool(int number) {
    synchronized (pools) {
      return pools.size() < 20 ? null : pools.stream().skip(number % pools.size()).findFirst().orElseThrow();
    }
  }

  private JsonNode json(String path) {
    try {
      return JSON.readTree(http.send(
          HttpRequest.newBuilder(URI.create("http://" + web + path)).build(), BodyHandlers.ofString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }

  /** Figures since the last call, by kind. */
  private void print(long minutes) {
    millis.forEach((kind, times) -> {
      var sorted = IntStream.range(0, times.size()).mapToObj(any -> times.poll()).sorted().toList();
      System.out.printf("| %d min | %s | %d | %.1f ms | %.1f ms | %.1f ms | %d ms |%n", minutes, kind, sorted.size(),
          part(sorted, 0.5), part(sorted, 0.99), part(sorted, 1), MOST_MILLIS);
    });
    System.out.printf("changes, by client: %s%n", followed.stream().map(FollowedChanges::count).toList());
  }

  private static double part(List<Double> sorted, double part) {
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(part * sorted.size()) - 1);
  }
}

package io.tidemark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The clients of a web server, in a separate process, which read a feed or send requests. */
final class HttpLoad {
  private static final int MOST_CONNECTIONS = 5_000;
  private static final long TIMEOUT_SECONDS = 120;

  /** Start of a record in a feed. */
  private static final byte[] RECORD = "event: record".getBytes(UTF_8);

  private final HttpClient client =
      HttpClient.create(ConnectionProvider.builder("bench").maxConnections(MOST_CONNECTIONS).build());
  private final AtomicLong received = new AtomicLong();

  private HttpLoad() {}

  /** Runs in a separate process, and answers the requests that the methods below send. */
  public static void main(String[] arguments) throws IOException {
    var load = new HttpLoad();
    var requests = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (var line = requests.readLine(); line != null; line = requests.readLine()) {
      var words = line.split(" ", 0);
      ChildJvm.reply(switch (words[0]) {
        case "follow" -> load.follow(Integer.parseInt(words[1]), words[2]);
        case "await" -> load.await(Long.parseLong(words[1]));
        case "paced" -> load.paced(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
        default -> load.get(Integer.parseInt(words[1]), Integer.parseInt(words[2]), words[3]);
      });
    }
    Runtime.getRuntime().halt(0);
  }

  static ChildJvm start() {
    return ChildJvm.start(HttpLoad.class);
  }

  /** Connects the given number of readers to a feed. Returns when all are connected. */
  static void follow(ChildJvm load, int readers, String url) {
    check(load.ask("follow %d %s".formatted(readers, url)));
  }

  /** Waits until all readers together have received the given number of records since they were connected. */
  static void await(ChildJvm load, long records) {
    check(load.ask("await " + records));
  }

  /** Sends the given number of requests over some connections, and reads all answers. */
  static void get(ChildJvm load, int requests, int connections, String url) {
    check(load.ask("get %d %d %s".formatted(requests, connections, url)));
  }

  /** The times of answers, in milliseconds. */
  record AnswerTimes(double median, double p99) {}

  /**
   * Sends the given number of requests at a pace, whether or not earlier ones are answered. A time is measured from the
   * moment at which a request was due to the end of the answer.
   */
  static AnswerTimes paced(ChildJvm load, int requests, int perSecond, String url) {
    var answer = load.ask("paced %d %d %s".formatted(requests, perSecond, url));
    var words = answer.split(" ", 0);
    if (!words[0].equals("times")) {
      check(answer);
    }
    return new AnswerTimes(Double.parseDouble(words[1]), Double.parseDouble(words[2]));
  }

  private static void check(String answer) {
    if (!answer.equals("done")) {
      throw new IllegalStateException("clients of the bench failed: " + answer);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // read until the process ends
  private String follow(int readers, String url) {
    var connected = new CountDownLatch(readers);
    for (var reader = 0; reader < readers; reader++) {
      var counter = new RecordCounter();
      client.get().uri(url)
          .responseConnection((response, connection) -> {
            connected.countDown();
            return connection.inbound().receive().doOnNext(bytes -> received.addAndGet(counter.count(bytes)));
          })
          .subscribe(bytes -> {}, e -> {});
    }
    return awaited(connected) ? "done" : connected.getCount() + " of " + readers + " readers are not connected";
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String await(long records) {
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (received.get() < records && System.nanoTime() < end) {
      try {
        TimeUnit.MILLISECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return received.get() >= records ? "done" : received.get() + " of " + records + " records are read";
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the latch waits for it
  private String paced(int requests, int perSecond, String url) {
    var times = new long[requests];
    var answered = new CountDownLatch(requests);
    var failed = new AtomicInteger();
    var begun = System.nanoTime();
    for (var request = 0; request < requests; request++) {
      var number = request;
      var due = begun + TimeUnit.SECONDS.toNanos(request) / perSecond;
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      failure(url).subscribe(status -> {
        failed.compareAndSet(0, status);
        times[number] = System.nanoTime() - due;
        answered.countDown();
      }, e -> {
        failed.set(-1);
        answered.countDown();
      });
    }
    if (!awaited(answered) || failed.get() != 0) {
      return "status " + failed.get() + " for " + url;
    }
    Arrays.sort(times);
    return "times %s %s".formatted(
        LatencyBench.percentile(times, 50), LatencyBench.percentile(times, 99));
  }

  /** Reads an answer. Emits 0 if the status of the answer is 200, and otherwise the status. */
  private Mono<Integer> failure(String url) {
    return client.get().uri(url).responseSingle((response, body) -> response.status().code() == 200
        ? body.asByteArray().thenReturn(0)
        : Mono.just(response.status().code()));
  }

  private String get(int requests, int connections, String url) {
    var failed = Flux.range(0, requests)
        .flatMap(number -> failure(url), connections)
        .filter(status -> status != 0)
        .blockFirst();
    return failed == null ? "done" : "status " + failed + " for " + url;
  }

  /** A counter of the records in the bytes that one reader receives. */
  private static final class RecordCounter {
    /** Number of bytes of {@code RECORD} that matched so far; negative if the rest of the line does not matter. */
    private int matched;

    int count(ByteBuf bytes) {
      var records = 0;
      for (var index = bytes.readerIndex(); index < bytes.writerIndex(); index++) {
        var next = bytes.getByte(index);
        if (next == '\n') {
          matched = 0;
        } else if (matched >= 0) {
          matched = next == RECORD[matched] ? matched + 1 : -1;
          if (matched == RECORD.length) {
            records++;
            matched = -1;
          }
        }
      }
      return records;
    }
  }
}

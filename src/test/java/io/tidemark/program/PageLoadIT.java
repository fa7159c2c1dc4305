package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Role;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser while 500 changes a second come: changes of pools of a simulated market, sent again and
 * again at that pace. Prints what it measures; {@code -Dtidemark.page.seconds=60} measures for longer.
 */
class PageLoadIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final int PER_SECOND = 500;
  private static final int SECONDS = Integer.getInteger("tidemark.page.seconds", 10);
  private static final int RECORDED = 300;
  private static final int MOST_ROWS = 150;

  /** The page's heap after the second half of the time by that after the first, each after garbage collection. */
  private static final double MOST_GROWTH = 4;

  private static final String SOURCE = """
      refresh: { new_pools: 1s, trending_pools: 1s }
      watch:
        networks: { solana: { new-pools: {}, trending: { durations: [5m, 1h] } } }
      """;

  /** Sum of the scores of layout shifts (Layout Instability API), of which a page may have 0.1 in its whole life. */
  private static final double MOST_SHIFT = 0.1;

  /** Counts in the page: records, frames by the time since the last one, tasks of more than 50 ms, and layout shift. */
  private static final String OBSERVE = """
      import('/page/feed.js').then(({Feed}) => {
        const seen = window.observed = {records: 0, frames: [], longTasks: [], shift: 0};
        const take = Feed.prototype.take;
        Feed.prototype.take = function (message) {
          seen.records += message.records?.length ?? 0;
          return take.call(this, message);
        };
        new PerformanceObserver(list => list.getEntries().forEach(each => seen.longTasks.push(each.duration)))
            .observe({type: 'longtask'});
        new PerformanceObserver(list => list.getEntries().forEach(each => seen.shift += each.value))
            .observe({type: 'layout-shift'});
        let last = performance.now();
        const frame = now => {
          seen.frames.push(now - last);
          last = now;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      })""";

  @TempDir
  Path folder;

  @Test
  void page_staysSmooth_andShowsAllThatComes() throws Exception {
    try (var page = new SimulatedPage(folder, Scenario.CALM, SOURCE)) {
      var records = changes(page);
      page.startWeb();
      var browser = page.browser();
      browser.resize(1440, 900);
      browser.open(page.address() + "/#/live");
      await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main h1')"));
      browser.evaluate(OBSERVE);
      measure(browser, records);
      assertThat(browser.problems()).isEmpty();
    }
  }

  /** Polls the market until so many changes are there. */
  private static List<ConsumerRecord<byte[], byte[]>> changes(SimulatedPage page) {
    var topic = page.topics().pool().changes().name();
    var changes = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    page.startCapture(Role.POLL);
    try (var consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", SharedBroker.bootstrapServers(),
        "isolation.level", "read_committed", "auto.offset.reset", "earliest"), new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      await().atMost(TIMEOUT).ignoreExceptions().until(() -> consumer.partitionsFor(topic).size() == 2);
      consumer.assign(List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1)));
      consumer.seekToBeginning(consumer.assignment());
      await().atMost(TIMEOUT).until(() -> {
        consumer.poll(Duration.ofMillis(200)).forEach(changes::add);
        return changes.size() >= 2 * RECORDED;
      });
    } finally {
      page.stopCapture();
    }
    return changes.subList(changes.size() - RECORDED, changes.size()); // the first are first observations
  }

  private static void measure(Chromium browser, List<ConsumerRecord<byte[], byte[]>> records) {
    send(records, 3); // for the compiler of the browser
    browser.evaluate("Object.assign(window.observed, {frames: [], longTasks: [], shift: 0})");
    send(records, SECONDS / 2);
    var heap = heap(browser);
    var before = browser.processorTime();
    send(records, SECONDS - SECONDS / 2);
    var after = browser.processorTime();
    var growth = heap(browser) - heap;
    var sent = PER_SECOND * (3 + SECONDS);
    await().atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(browser.evaluate("window.observed.records").asInt())
            .as(browser.evaluate("document.getElementById('status-text').textContent").asText())
            .isGreaterThanOrEqualTo(sent));

    var pace = browser.evaluate("document.querySelector('main .tools .muted').textContent").asText();
    var tasks = browser.evaluate("[window.observed.longTasks.length, Math.max(0, ...window.observed.longTasks)]");
    var shift = browser.evaluate("window.observed.shift").asDouble();
    var frames =
        browser.evaluate("(all => [all.length, ...[0.5, 0.99, 0.999].map(part => all[Math.floor(all.length * part)])])"
            + "(window.observed.frames.sort((a, b) => a - b))");
    var halfSeconds = SECONDS - SECONDS / 2;
    List.of("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration").forEach(
        metric -> System.out.printf("%s: %.0f ms of processor time a second%n", metric,
            1_000 * (after.get(metric) - before.get(metric)) / halfSeconds));
    System.out.printf("%d changes/s for %d s: the page says '%s'; %d tasks of more than 50 ms, the longest %.0f ms; "
        + "%d frames, ms between two: median %.1f, 99 of 100 %.1f, 999 of 1,000 %.1f; heap %.1f MiB, then %+.1f MiB; layout shift %.4f%n",
        PER_SECOND, SECONDS, pace, tasks.get(0).asInt(), tasks.get(1).asDouble(), frames.get(0).asInt(),
        frames.get(1).asDouble(), frames.get(2).asDouble(), frames.get(3).asDouble(), heap / (1 << 20),
        growth / (1 << 20), shift);
    assertThat(shift).isLessThan(MOST_SHIFT);
    assertThat(pace).matches("[0-9,.]+ changes/s(, [0-9,.kK]+ not shown)?");
    assertThat(browser.evaluate("document.querySelectorAll('main tbody tr').length").asInt()).isEqualTo(MOST_ROWS);
    assertThat((heap + growth) / heap).isLessThan(MOST_GROWTH);
  }

  /** In the heap of the page, after garbage collection. */
  private static double heap(Chromium browser) {
    browser.collectGarbage();
    return browser.evaluate("performance.memory.usedJSHeapSize").asDouble();
  }

  private static void send(List<ConsumerRecord<byte[], byte[]>> records, int seconds) {
    try (var producer = new KafkaProducer<>(Map.<String, Object>of("bootstrap.servers",
        SharedBroker.bootstrapServers(), "linger.ms", 5), new ByteArraySerializer(), new ByteArraySerializer())) {
      var begun = System.nanoTime();
      for (var number = 0; number < seconds * PER_SECOND; number++) {
        var due = begun + TimeUnit.SECONDS.toNanos(number) / PER_SECOND;
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        var record = records.get(number % records.size());
        producer.send(new ProducerRecord<>(record.topic(), null, null, record.key(), record.value(), record.headers()),
            (sent, failure) -> assertThat(failure).isNull());
      }
    }
  }
}

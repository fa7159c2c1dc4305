package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alerts from Kafka to one receiver, in a thread of its own. A failure of Kafka or the registry ends one life of it; the
 * next begins after a pause, from what is committed.
 */
final class DeliveryLoop implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);
  private static final Duration HEALTHY_AFTER = Duration.ofMinutes(1);
  private static final int LONGEST = 300;

  private final Receiver receiver;
  private final String topic;
  private final Deserializer<Alert> alerts;
  private final Supplier<Consumer<String, byte[]>> consumers;
  private final Notifier notifier;
  private final InstantSource clock;
  private final Duration pause;
  private final NotificationQueue queue;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile @Nullable String problem;

  /**
   * @param consumers makes one for each life
   * @param pause between two lives
   */
  DeliveryLoop(
      Receiver receiver,
      String topic,
      Deserializer<Alert> alerts,
      Supplier<Consumer<String, byte[]>> consumers,
      DeliveryListener deliveries,
      InstantSource clock,
      Duration pause) {
    this.receiver = receiver;
    this.topic = topic;
    this.alerts = alerts;
    this.consumers = consumers;
    this.notifier = new Notifier(receiver, deliveries, clock);
    this.clock = clock;
    this.pause = pause;
    this.queue = new NotificationQueue(receiver, new Random());
  }

  @Override
  public void run() {
    try (notifier) {
      while (!stopped()) {
        runSession();
      }
    }
  }

  /** From any thread: ends after the message under way. */
  void stop() {
    stop.countDown();
  }

  /** From any thread: what ended its last life, until the next has lasted for a minute; null where all is well. */
  @Nullable
  String problem() {
    return problem;
  }

  private boolean stopped() {
    return stop.getCount() == 0;
  }

  /** Whatever ends a life, programming errors too: a receiver that nobody serves any more would go unnoticed. */
  private void runSession() {
    try (var consumer = consumers.get()) {
      var begun = clock.instant();
      var life = new DeliverySession(receiver, alerts, consumer, queue, notifier, clock);
      life.subscribe(topic);
      while (!stopped()) {
        life.deliverNext();
        clearProblem(begun);
      }
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void clearProblem(Instant begun) {
    if (problem != null && !clock.instant().isBefore(begun.plus(HEALTHY_AFTER))) {
      LOG.info("{}: goes on", receiver);
      problem = null;
    }
  }

  /** What was read and not told is read again. */
  private void failed(RuntimeException failure) {
    queue.clear();
    var why = SafeText.singleLine(failure.toString(), LONGEST);
    if (!why.equals(problem)) {
      LOG.warn("{}: cannot go on; it begins again from what is committed", receiver, failure);
    }
    problem = why;
    pause();
  }

  private void pause() {
    try {
      stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    }
  }
}

package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.Harmless;
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
final class Delivery implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
  private static final Duration HEALED = Duration.ofMinutes(1);
  private static final int LONGEST = 300;

  private final Receiver receiver;
  private final String topic;
  private final Deserializer<Alert> alerts;
  private final Supplier<Consumer<String, byte[]>> consumers;
  private final Teller teller;
  private final InstantSource clock;
  private final Duration pause;
  private final Outbox outbox;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile @Nullable String trouble;

  /**
   * @param consumers makes one for each life
   * @param pause between two lives
   */
  Delivery(
      Receiver receiver,
      String topic,
      Deserializer<Alert> alerts,
      Supplier<Consumer<String, byte[]>> consumers,
      Deliveries deliveries,
      InstantSource clock,
      Duration pause) {
    this.receiver = receiver;
    this.topic = topic;
    this.alerts = alerts;
    this.consumers = consumers;
    this.teller = new Teller(receiver, deliveries, clock);
    this.clock = clock;
    this.pause = pause;
    this.outbox = new Outbox(receiver, new Random());
  }

  @Override
  public void run() {
    try (teller) {
      while (!stopped()) {
        live();
      }
    }
  }

  /** From any thread: ends after the message under way. */
  void stop() {
    stop.countDown();
  }

  /** From any thread: what ended its last life, until the next has lasted for a minute; null where all is well. */
  @Nullable
  String trouble() {
    return trouble;
  }

  private boolean stopped() {
    return stop.getCount() == 0;
  }

  /** Whatever ends a life, programming errors too: a receiver that nobody serves any more would go unnoticed. */
  private void live() {
    try (var consumer = consumers.get()) {
      var begun = clock.instant();
      var life = new DeliveryLife(receiver, alerts, consumer, outbox, teller, clock);
      life.begin(topic);
      while (!stopped()) {
        life.step();
        heal(begun);
      }
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void heal(Instant begun) {
    if (trouble != null && !clock.instant().isBefore(begun.plus(HEALED))) {
      LOG.info("{}: goes on", receiver);
      trouble = null;
    }
  }

  /** What was read and not told is read again. */
  private void failed(RuntimeException failure) {
    outbox.drop();
    var why = Harmless.line(failure.toString(), LONGEST);
    if (!why.equals(trouble)) {
      LOG.warn("{}: cannot go on; it begins again from what is committed", receiver, failure);
    }
    trouble = why;
    rest();
  }

  private void rest() {
    try {
      stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    }
  }
}

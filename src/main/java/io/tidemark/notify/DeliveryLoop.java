package io.tidemark.notify;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException;
import io.tidemark.notify.DeliveryListener.DeliveryState;
import io.tidemark.notify.Receivers.DeliveryProgress;
import io.tidemark.notify.WebhookClient.DeliveryResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery of alerts from Kafka to one receiver, in a dedicated thread. A failure of Kafka or the registry ends
 * the current session. The next session begins after a pause, at the committed offsets.
 */
final class DeliveryLoop implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final Duration HEALTHY_AFTER = Duration.ofMinutes(1);
  /** How often the loop checks that Kafka answers for the partitions of the topic. */
  private static final Duration CHECK_EVERY = Duration.ofSeconds(30);
  /** How long Kafka may take to answer one request of the check. */
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(1);
  /**
   * Maximum number of partitions without an answer that one check looks for. Each of them delays the check by {@link
   * #ANSWERS_WITHIN}.
   */
  private static final int MOST_ASKED = 5;
  private static final int LONGEST = 300;

  private final Receiver receiver;
  private final String topic;
  private final Deserializer<Alert> alerts;
  private final Quarantine quarantine;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final DeliveryListener listener;
  private final WebhookClient client;
  private final InstantSource clock;
  private final Duration pause;
  private final NotificationQueue queue;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Random random = new Random();
  private int failures;
  private int silentPartitions;
  private String deliveredAt = "";
  private String lastFailure = "";
  private String committedFailure = "";
  private volatile @Nullable String problem;
  private volatile @Nullable String unreadable;
  private volatile @Nullable String acceptsNothing;

  /**
   * @param alerts decodes alerts; throws {@link UnreadableRecordException} for a value that is not an alert
   * @param consumers makes a consumer for each session
   * @param traces receive the span of each request to the receiver
   * @param pause pause after the first failure, before the next session
   */
  DeliveryLoop(
      Receiver receiver,
      String topic,
      Deserializer<Alert> alerts,
      Quarantine quarantine,
      Supplier<Consumer<byte[], byte[]>> consumers,
      DeliveryListener listener,
      Traces traces,
      InstantSource clock,
      Duration pause) {
    this.receiver = receiver;
    this.topic = topic;
    this.alerts = alerts;
    this.quarantine = quarantine;
    this.consumers = consumers;
    this.listener = listener;
    this.client = new WebhookClient(receiver, traces);
    this.clock = clock;
    this.pause = pause;
    this.queue = new NotificationQueue(receiver, new Random());
  }

  @Override
  public void run() {
    try (client) {
      while (!isStopped()) {
        runSession();
      }
    }
  }

  /** Ends the loop after the notification in flight. May be called from any thread. */
  void stop() {
    stop.countDown();
  }

  /**
   * Returns the problem of this delivery, or null while deliveries work. If there are several problems, returns the
   * first in this order: (1) the failure that ended the last session, until the next session has lasted for a minute,
   * (2) the partitions or the topic for which Kafka does not answer, (3) the receiver's failure to accept anything. May
   * be called from any thread.
   */
  @Nullable
  String problem() {
    return problem != null ? problem : unreadable != null ? unreadable : acceptsNothing;
  }

  private boolean isStopped() {
    return stop.getCount() == 0;
  }

  /** Catches every failure, even programming errors, because the death of the thread would go unnoticed. */
  private void runSession() {
    try (var consumer = consumers.get()) {
      var start = clock.instant();
      var session = new DeliverySession(consumer);
      consumer.subscribe(List.of(topic), session);
      while (!isStopped()) {
        session.deliverNext();
        clearProblem(start);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private void clearProblem(Instant start) {
    if (problem != null && !clock.instant().isBefore(start.plus(HEALTHY_AFTER))) {
      LOG.info("{}: alerts can be read from Kafka again", receiver);
      problem = null;
      failures = 0;
    }
  }

  /** Pauses, and forgets the alerts that were read but not delivered, because the next session reads them again. */
  private void failed(Throwable failure) {
    queue.clear();
    failures++;
    var next = nextPause();
    var reason = SafeText.singleLine(failure.toString(), LONGEST);
    if (!reason.equals(problem)) {
      LOG.warn("{}: alerts cannot be read from Kafka, or offsets cannot be committed. Reading begins again in {} s at"
          + " the committed offsets", receiver, next.toSeconds(), failure);
    }
    problem = reason;
    unreadable = null;
    silentPartitions = 0;
    report();
    pause(next);
  }

  /** Reports the state of the delivery, and logs once that the receiver accepts nothing. */
  private void report() {
    if (!queue.acceptsNothing()) {
      acceptsNothing = null;
    } else if (acceptsNothing == null) {
      acceptsNothing = "has accepted nothing since " + clock.instant().truncatedTo(ChronoUnit.SECONDS)
          + "; alerts are kept, and sent when the receiver accepts them again. Last failure: " + lastFailure;
      LOG.warn("{}: {}", receiver, acceptsNothing);
    }
    var reads = problem == null && (unreadable == null || silentPartitions > 0);
    listener.reported(receiver.name(),
        new DeliveryState(acceptsNothing == null, reads, silentPartitions, queue.waiting(), queue.oldest()));
  }

  /**
   * @param givenUp id of the notification that will not be sent again, which is this notification or an alert that was
   *     set aside earlier; null if none was given up
   */
  private void record(Notification notification, DeliveryResult result, @Nullable String givenUp) {
    var reason = result.reason();
    var isGivenUp = notification.id().equals(givenUp);
    listener.attempted(receiver.name(), reason == null ? "delivered" : givenUp != null ? "refused" : "later");
    if (notification instanceof Notification.AlertDigest digest && (reason == null || isGivenUp)) {
      listener.digested(receiver.name(), digest.alerts());
    }
    if (reason == null) {
      deliveredAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
      if (!lastFailure.isEmpty()) {
        LOG.info("{}: deliveries work again", receiver);
      }
    } else if (!isGivenUp && !reason.equals(lastFailure)) {
      LOG.warn(
          "{}: notification {} was not delivered and will be sent again. Cause: {}. If failures continue, run:"
              + " tidemark receivers test {}",
          receiver, notification.id(), reason, receiver.name());
    }
    lastFailure = Objects.requireNonNullElse(reason, "");
    if (givenUp != null) {
      LOG.warn(
          "{}: notification {} is dropped, because its delivery fails although other notifications are delivered."
              + " Last failure: {}",
          receiver, givenUp, lastFailure);
    }
  }

  /**
   * Returns a pause that doubles with each failure in a row up to {@link #LONGEST_PAUSE}, less a random part of up to
   * a fifth.
   */
  private Duration nextPause() {
    var whole = Math.min(pause.toMillis() << Math.min(failures - 1, 20), LONGEST_PAUSE.toMillis());
    return Duration.ofMillis(whole - random.nextLong(whole / 5 + 1));
  }

  private void pause(Duration next) {
    try {
      stop.await(next.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stop();
    }
  }

  /**
   * A session that reads alerts, sends notifications and commits offsets with one consumer, until the first failure. It
   * commits after each response of the receiver, so that a failover repeats at most one notification, and those that
   * have passed a resolved incident that still waits.
   */
  private final class DeliverySession implements ConsumerRebalanceListener {

    private final Consumer<byte[], byte[]> consumer;
    /** Offsets from which the partitions are read next. */
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private Instant nextCheck = clock.instant().plus(CHECK_EVERY);

    DeliverySession(Consumer<byte[], byte[]> consumer) {
      this.consumer = consumer;
    }

    /** Polls Kafka for alerts, and sends at most one notification. Blocks for a bounded time. */
    void deliverNext() {
      poll();
      if (!clock.instant().isBefore(nextCheck)) {
        nextCheck = clock.instant().plus(CHECK_EVERY);
        checkPartitions();
      }
      var notification = queue.next(clock.instant());
      if (notification != null) {
        var result = client.send(notification, clock.instant());
        record(notification, result, queue.completed(result, clock.instant()));
      }
      report();
      commitProgress();
    }

    /** Commits positions that changed. If the last failure changed, commits the other positions again with it. */
    private void commitProgress() {
      var positions = new HashMap<TopicPartition, Long>();
      if (!lastFailure.equals(committedFailure)) {
        consumer.committed(consumer.assignment()).forEach((partition, position) -> {
          if (position != null) {
            positions.put(partition, position.offset());
          }
        });
      }
      positions.putAll(queue.takeCommittable());
      commit(positions);
      if (!positions.isEmpty()) {
        committedFailure = lastFailure;
      }
    }

    /** Polling is not enough, because it does not fail if a partition has no leader or the topic does not exist. */
    private void checkPartitions() {
      var assigned = consumer.assignment();
      var silent = isAnswered(assigned) ? List.<Integer>of() : silent(assigned);
      var found = !silent.isEmpty() ? "Kafka does not answer for partitions " + silent + " of " + topic
          : assigned.isEmpty() && !isTopicThere()
              ? "Kafka does not answer for the topic " + topic + ", or the topic does not exist"
              : null;
      if (found != null && !found.equals(unreadable)) {
        LOG.warn("{}: {}. Its alerts stay in Kafka until Kafka answers again. Check the topic with kafka-topics.sh"
            + " --describe --topic {}", receiver, found, topic);
      } else if (found == null && unreadable != null) {
        LOG.info("{}: Kafka answers for all partitions of topic {} again", receiver, topic);
      }
      unreadable = found;
      silentPartitions = silent.size();
    }

    /** Returns the numbers of at most {@link #MOST_ASKED} partitions for which Kafka does not answer. */
    private List<Integer> silent(Set<TopicPartition> partitions) {
      return partitions.stream()
          .sorted(Comparator.comparingInt(TopicPartition::partition))
          .filter(partition -> !isStopped() && !isAnswered(Set.of(partition)))
          .limit(MOST_ASKED)
          .map(TopicPartition::partition)
          .toList();
    }

    private boolean isAnswered(Set<TopicPartition> partitions) {
      try {
        consumer.endOffsets(partitions, ANSWERS_WITHIN);
        return true;
      } catch (TimeoutException e) {
        return false;
      }
    }

    private boolean isTopicThere() {
      try {
        return !consumer.partitionsFor(topic, ANSWERS_WITHIN).isEmpty();
      } catch (TimeoutException e) {
        return false;
      }
    }

    private void poll() {
      if (queue.hasCapacity()) {
        consumer.resume(consumer.paused());
      } else {
        consumer.pause(consumer.assignment());
      }
      var records = consumer.poll(POLL);
      records.partitions().forEach(each -> logDeleted(each, records.records(each).getFirst().offset()));
      records.nextOffsets().forEach((partition, position) -> next.put(partition, position.offset()));
      records.forEach(
          record -> queue.add(alert(record), new TopicPartition(record.topic(), record.partition()), record.offset(),
              record.serializedValueSize(), TraceParent.of(record.headers())));
    }

    /** Logs the gap before the first record of a poll if alerts were deleted. Any other gap has transaction markers. */
    private void logDeleted(TopicPartition partition, long found) {
      long wanted = next.getOrDefault(partition, found);
      var beginning = wanted < found ? beginning(partition) : wanted;
      if (wanted < beginning) {
        LOG.warn("{}: the alerts at offsets {} to {} of {} are lost, because the topic's retention deleted them before"
            + " they were read. The delivery continues at offset {}. To keep alerts longer, raise"
            + " topics.retention.alerts", receiver, wanted, Math.min(beginning, found) - 1, partition, found);
      }
    }

    private long beginning(TopicPartition partition) {
      return Objects.requireNonNull(consumer.beginningOffsets(Set.of(partition)).get(partition));
    }

    private long end(TopicPartition partition) {
      return Objects.requireNonNull(consumer.endOffsets(Set.of(partition)).get(partition));
    }

    private @Nullable Alert alert(ConsumerRecord<byte[], byte[]> record) {
      try {
        return alerts.deserialize(record.topic(), record.value());
      } catch (UnreadableRecordException e) {
        quarantine.add(UnreadableRecord.of(record, e));
        return null;
      }
    }

    private void commit(Map<TopicPartition, Long> offsets) {
      var commits = new HashMap<TopicPartition, OffsetAndMetadata>();
      offsets.forEach((partition, offset) -> commits.put(partition,
          new OffsetAndMetadata(offset,
              new DeliveryProgress(deliveredAt, lastFailure, List.copyOf(queue.aside(partition))).text())));
      if (!commits.isEmpty()) {
        consumer.commitSync(commits);
      }
    }

    /**
     * Commits the end of each partition that has no committed offset, so that a new receiver begins with the alerts
     * from now on. In the other partitions, rereads the alerts that were set aside. If such a partition ends before the
     * committed offset, reads it from its beginning, because the offset belongs to records that no longer exist.
     */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      var committed = consumer.committed(Set.copyOf(partitions));
      var fresh = partitions.stream().filter(partition -> committed.get(partition) == null).toList();
      var positions = new HashMap<TopicPartition, Long>();
      if (!fresh.isEmpty()) { // of an empty list, seekToEnd would take all assigned partitions
        consumer.seekToEnd(fresh);
        fresh.forEach(partition -> positions.put(partition, consumer.position(partition)));
        commit(positions);
        LOG.info(
            "{}: the delivery begins with the alerts from now on, because the consumer group has no offsets for {}."
                + " If the receiver was notified before, Kafka deleted its offsets, and alerts that waited are not sent."
                + " To keep offsets longer, raise offsets.retention.minutes of the brokers",
            receiver, fresh);
      }
      committed.forEach((partition, position) -> {
        if (position != null) {
          next.put(partition, position.offset());
          resume(partition, position);
        }
      });
    }

    private void resume(TopicPartition partition, OffsetAndMetadata position) {
      var aside = DeliveryProgress.of(position.metadata()).aside().stream()
          .filter(offset -> offset < position.offset())
          .toList();
      if (!aside.isEmpty() && end(partition) < position.offset()) {
        LOG.warn("{}: {} ends at offset {}, before the committed offset {}, because the topic was created again or lost"
            + " records. The delivery continues at the beginning of the topic, and drops the alerts that were set aside",
            receiver, partition, end(partition), position.offset());
        next.remove(partition);
        consumer.seekToBeginning(List.of(partition));
      } else if (!aside.isEmpty()) {
        var first = Math.max(Collections.min(aside), beginning(partition));
        var lost = aside.stream().filter(offset -> offset < first).toList();
        if (!lost.isEmpty()) {
          LOG.warn("{}: the alerts at offsets {} of {} are lost, because the topic's retention deleted them before the"
              + " receiver accepted them. To keep alerts longer, raise topics.retention.alerts",
              receiver, lost, partition);
        }
        queue.resume(partition, position.offset(), aside.stream().filter(offset -> offset >= first).toList());
        next.put(partition, Math.min(first, position.offset()));
        consumer.seek(partition, Math.min(first, position.offset()));
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      commit(queue.takeCommittable());
      onPartitionsLost(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      queue.clear();
      report();
    }
  }
}

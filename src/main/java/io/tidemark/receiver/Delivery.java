package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.RegistryFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alerts from Kafka to one receiver, in a thread of its own. How far it has come is committed after each answer, with
 * when it was and what went wrong last, so that whoever goes on repeats one message at most.
 */
final class Delivery implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Receiver receiver;
  private final String topic;
  private final AvroSerde<Alert> alerts;
  private final Consumer<String, byte[]> consumer;
  private final Posting posting;
  private final Deliveries deliveries;
  private final InstantSource clock;
  private final Outbox outbox;
  private volatile boolean stopped;
  private String deliveredAt = "";
  private String trouble = "";

  Delivery(
      Receiver receiver,
      String topic,
      AvroSerde<Alert> alerts,
      Consumer<String, byte[]> consumer,
      Deliveries deliveries,
      InstantSource clock) {
    this.receiver = receiver;
    this.topic = topic;
    this.alerts = alerts;
    this.consumer = consumer;
    this.posting = new Posting(receiver);
    this.deliveries = deliveries;
    this.clock = clock;
    this.outbox = new Outbox(receiver, new Random());
  }

  @Override
  public void run() {
    try (consumer; posting) {
      consumer.subscribe(List.of(topic), new Rebalances());
      while (!stopped) {
        step();
      }
    } catch (WakeupException e) {
      LOG.debug("{}: told to stop", receiver);
    } catch (KafkaException | RegistryFailure e) {
      LOG.error("{}: ended: {}; nothing is lost, it goes on at the next start", receiver, e.toString());
    }
  }

  /** From any thread: ends after the message under way. */
  void stop() {
    stopped = true;
  }

  private void step() {
    read();
    var notice = outbox.next(clock.instant());
    if (notice != null) {
      tell(notice);
    }
    commit();
  }

  private void read() {
    if (outbox.hasRoom()) {
      consumer.resume(consumer.paused());
    } else {
      consumer.pause(consumer.assignment());
    }
    consumer.poll(POLL).forEach(record ->
        outbox.add(alert(record), new TopicPartition(record.topic(), record.partition()), record.offset()));
  }

  private @Nullable Alert alert(ConsumerRecord<String, byte[]> record) {
    try {
      return record.value() == null ? null : alerts.decode(record.topic(), record.value());
    } catch (SerializationException | RegistryFailure.Unknown e) {
      LOG.warn("{}: {}-{}@{} is no alert and is passed over: {}", receiver, record.topic(), record.partition(),
          record.offset(), e.getMessage());
      return null;
    }
  }

  private void tell(Notice notice) {
    var reply = posting.send(receiver.format().post(notice, clock.instant()));
    if (notice instanceof Notice.Many many && !(reply instanceof Reply.Later)) {
      deliveries.digested(receiver.name(), many.tally().all());
    }
    note(notice, reply);
    outbox.answered(reply, clock.instant());
  }

  private void note(Notice notice, Reply reply) {
    switch (reply) {
      case Reply.Delivered delivered -> {
        deliveries.attempted(receiver.name(), "delivered");
        deliveredAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        said("", "");
      }
      case Reply.Later(var why, var after) -> {
        deliveries.attempted(receiver.name(), "later");
        said(why, "it is tried again");
      }
      case Reply.Refused(var why) -> {
        deliveries.attempted(receiver.name(), "refused");
        LOG.debug("{}: {} was refused", receiver, notice.id());
        said(why, "what it refuses is passed over; check its settings with: tidemark receivers test " + receiver.name());
      }
    }
  }

  /** Each trouble once, and its end. */
  private void said(String why, String then) {
    if (!why.equals(trouble) && !why.isEmpty()) {
      LOG.warn("{}: {}; {}", receiver, why, then);
    } else if (why.isEmpty() && !trouble.isEmpty()) {
      LOG.info("{}: delivers again", receiver);
    }
    trouble = why;
  }

  private void commit() {
    var done = new HashMap<TopicPartition, OffsetAndMetadata>();
    outbox.takeDone().forEach((partition, offset) -> done.put(partition, position(offset)));
    if (!done.isEmpty()) {
      consumer.commitSync(done);
    }
  }

  private OffsetAndMetadata position(long offset) {
    return new OffsetAndMetadata(offset, new Progress(deliveredAt, trouble).text());
  }

  /** A new receiver begins with what comes from now on; that is written down at once. */
  private final class Rebalances implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      var committed = consumer.committed(Set.copyOf(partitions));
      Map<TopicPartition, OffsetAndMetadata> begun = new HashMap<>();
      partitions.stream()
          .filter(partition -> committed.get(partition) == null)
          .forEach(partition -> begun.put(partition, position(consumer.position(partition))));
      if (!begun.isEmpty()) {
        consumer.commitSync(begun);
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      commit();
      outbox.drop();
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      outbox.drop();
    }
  }
}

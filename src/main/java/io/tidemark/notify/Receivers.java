package io.tidemark.notify;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.event.SafeText;
import io.tidemark.kafka.ClassicGroup;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The running receivers of one source's alerts, each in its own thread and consumer group, so that no receiver delays
 * another.
 */
public final class Receivers implements AutoCloseable {

  private static final Duration CLOSES_WITHIN = Duration.ofSeconds(25);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Map<String, DeliveryLoop> deliveries = new HashMap<>();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * The metadata of a receiver's committed offset.
   *
   * @param deliveredAt time in ISO 8601 of the last notification that was delivered since the committing process
   *     started; empty before the first
   * @param problem the last failure; empty after a successful delivery
   * @param aside offsets below the committed offset whose alerts are not delivered yet
   */
  public record DeliveryProgress(String deliveredAt, String problem, List<Long> aside) {

    private static final int LONGEST = 300;
    private static final Pattern TEXT = Pattern.compile("(\\S*) ?(?:\\[([\\d, ]+)] ?)?(.*)");

    String text() {
      return deliveredAt + " " + (aside.isEmpty() ? "" : aside + " ") + SafeText.singleLine(problem, LONGEST);
    }

    public static DeliveryProgress of(String text) {
      var parts = TEXT.matcher(text);
      if (!parts.matches()) {
        return new DeliveryProgress("", text, List.of());
      }
      var aside =
          parts.group(2) == null ? List.<Long>of() : Stream.of(parts.group(2).split(", ")).map(Long::valueOf).toList();
      return new DeliveryProgress(parts.group(1), parts.group(3), aside);
    }
  }

  private Receivers() {}

  /** Starts the delivery to each receiver. {@code kafka} is the client configuration with the bootstrap servers. */
  public static Receivers start(
      List<Receiver> all,
      Topics topics,
      SchemaRegistry registry,
      Map<String, Object> kafka,
      Quarantine quarantine,
      DeliveryListener listener,
      Traces traces) {
    var receivers = new Receivers();
    var alerts = topics.alerts();
    for (var receiver : all) {
      var config = config(receiver, topics, kafka);
      var delivery = new DeliveryLoop(receiver, alerts.name(), alerts.decoder(registry).values(), quarantine,
          () -> new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
          listener, traces, InstantSource.system(), PAUSE);
      receivers.deliveries.put(receiver.name(), delivery);
      receivers.threads.add(Thread.ofPlatform().name("receiver-" + receiver.name()).start(delivery));
    }
    return receivers;
  }

  /**
   * Returns the reason why alerts are not, or not all, delivered to a receiver now, or null while deliveries work.
   */
  public @Nullable String problem(String receiver) {
    return Objects.requireNonNull(deliveries.get(receiver), receiver).problem();
  }

  public static String group(String receiver, Topics topics) {
    return topics.prefix() + "receiver." + receiver;
  }

  /**
   * Counts the alerts after the committed offsets that match a receiver. Alerts that were set aside are before these
   * offsets and not counted. Reads the records, because offsets also count transaction markers and alerts that do not
   * match.
   */
  public static long waiting(Receiver receiver, Map<TopicPartition, Long> committed, TopicReader reader) {
    var ends = reader.offsets().latest(committed.keySet());
    var waiting = new AtomicLong();
    committed.forEach((partition, offset) -> {
      long end = Objects.requireNonNull(ends.get(partition));
      reader.read(new OffsetRange(partition.topic(), partition.partition(), Math.min(offset, end), end), record -> {
        if (record.value() instanceof Alert alert && receiver.match().matches(alert)) {
          waiting.incrementAndGet();
        }
      });
    });
    return waiting.get();
  }

  /**
   * Sends a test alert. Returns null if the alert was delivered, otherwise the reason for the failure. Blocks for a
   * bounded time.
   */
  public static @Nullable String sendTest(Receiver receiver, Instant now) {
    try (var client = new WebhookClient(receiver, Traces.OFF)) {
      return client.send(new Notification.SingleAlert(example(now), null), now).reason();
    }
  }

  /** Stops each delivery after the notification in flight. Blocks for a bounded time. */
  @Override
  public void close() {
    deliveries.values().forEach(DeliveryLoop::stop);
    try {
      for (var thread : threads) {
        thread.join(CLOSES_WITHIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Alert example(Instant now) {
    return Alert.newBuilder()
        .setId("test/" + now.toEpochMilli())
        .setRule("test")
        .setFingerprint("test")
        .setSubject("nothing")
        .setSummary("Tidemark can reach this receiver. This is a test; nothing happened.")
        .setEventTime(now)
        .setLabels(Map.of("example", "yes"))
        .setEvidence(List.of(Evidence.newBuilder().setObservedAt(now).build()))
        .build();
  }

  private static Map<String, Object> config(Receiver receiver, Topics topics, Map<String, Object> kafka) {
    var config = new HashMap<>(kafka);
    ClassicGroup.configure(config, group(receiver.name(), topics), SingleConsumerAssignor.class);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "tidemark-receiver-" + receiver.name());
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"); // if retention deleted the position
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
    config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, RecordLimits.BATCH); // small: one consumer per receiver
    return config;
  }
}

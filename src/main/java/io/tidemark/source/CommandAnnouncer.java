package io.tidemark.source;

import io.tidemark.event.Watch;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerFailure;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.TopicRestore;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.SchemaRegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces to every partition what the commands of the topic {@code watch} come to. Of the ledger's thread. */
public final class CommandAnnouncer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandAnnouncer.class);

  private final Consumer<byte[], byte[]> consumer;
  private final AvroSerde<Watch> serde;
  private final Announcements announcements;

  /** What the commands come to, such as the rules and silences in force. One session's. */
  public interface Announcements {

    /** Applies a command of the topic {@code watch}. Commands that a ledger wrote record what was announced before. */
    void apply(Watch command);

    /** Announces through the ledger all that is due. */
    void announceDue(Ledger ledger, Instant now);
  }

  private CommandAnnouncer(
      Consumer<byte[], byte[]> consumer, AvroSerde<Watch> serde, Announcements announcements) {
    this.consumer = consumer;
    this.serde = serde;
    this.announcements = announcements;
  }

  /**
   * Applies all commands so far. Blocks until they are read.
   *
   * @throws LedgerFailure where Kafka does not answer
   */
  static CommandAnnouncer open(LedgerSettings settings, SchemaRegistry registry, Announcements announcements) {
    var topic = settings.topics().watch();
    var announcer = new CommandAnnouncer(settings.consumer(), topic.serde(registry), announcements);
    try {
      new TopicRestore(announcer.consumer, List.of(topic), settings.layout().partitions())
          .readEach(announcer::apply);
      return announcer;
    } catch (RuntimeException e) {
      announcer.close();
      throw LedgerFailure.of(settings.source(), "read the commands of the topic watch", e);
    }
  }

  /** Applies the commands since the last call, without waiting, and announces what is due. */
  void announce(Ledger ledger, Instant now) {
    consumer.poll(Duration.ZERO).forEach(this::apply);
    announcements.announceDue(ledger, now);
  }

  /** Skips a command that cannot be read: no one who can write to the topic may stop the source. */
  private void apply(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() != null) {
        announcements.apply(serde.decode(record.topic(), record.value()));
      }
    } catch (SerializationException | SchemaRegistryFailure.UnknownSchema e) {
      LOG.error("topic {}, partition {}, offset {}: the command cannot be read and is skipped: {}",
          record.topic(), record.partition(), record.offset(), e.getMessage());
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}

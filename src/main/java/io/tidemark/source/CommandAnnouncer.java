package io.tidemark.source;

import io.tidemark.event.Watch;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerFailure;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.TopicRestore;
import io.tidemark.topic.RecordDecoder;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.UnreadableRecord;
import io.tidemark.topic.UnreadableRecordException;
import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Announces to every partition what the commands of the topic {@code watch} come to. Of the ledger's thread. */
public final class CommandAnnouncer implements AutoCloseable {

  private final Consumer<byte[], byte[]> consumer;
  private final RecordDecoder<Watch> decoder;
  private final Announcements announcements;
  /** Records that cannot be used, for the next transaction. */
  private final List<UnreadableRecord> unreadable = new ArrayList<>();

  /** What the commands come to, such as the rules and silences in force. One session's. */
  public interface Announcements {

    /** Applies a command of the topic {@code watch}. Commands that a ledger wrote record what was announced before. */
    void apply(Watch command);

    /** Announces through the ledger all that is due. */
    void announceDue(Ledger ledger, Instant now);
  }

  private CommandAnnouncer(
      Consumer<byte[], byte[]> consumer, RecordDecoder<Watch> decoder, Announcements announcements) {
    this.consumer = consumer;
    this.decoder = decoder;
    this.announcements = announcements;
  }

  /**
   * Applies all commands so far. Blocks until they are read.
   *
   * @throws LedgerFailure where Kafka does not answer
   */
  static CommandAnnouncer open(LedgerSettings settings, SchemaRegistry registry, Announcements announcements) {
    var topic = settings.topics().watch();
    var announcer = new CommandAnnouncer(settings.consumer(), topic.decoder(registry), announcements);
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
    if (!unreadable.isEmpty()) {
      unreadable.forEach(ledger::quarantine);
      ledger.commit();
      unreadable.clear();
    }
    announcements.announceDue(ledger, now);
  }

  /** Skips a command that cannot be used: no one who can write to the topic may stop the source. */
  private void apply(ConsumerRecord<byte[], byte[]> record) {
    try {
      decoder.key(record.key());
      var command = decoder.value(record.value());
      if (command != null) {
        apply(command);
      }
    } catch (UnreadableRecordException e) {
      unreadable.add(UnreadableRecord.of(record, e));
    }
  }

  private void apply(Watch command) {
    try {
      announcements.apply(command);
    } catch (RuntimeException e) {
      throw new UnreadableRecordException(UnreadableReason.UNPROCESSABLE, "the command cannot be applied: " + e, e);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}

package io.tidemark.capture.source;

import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.TopicRestore;
import io.tidemark.event.Watch;
import io.tidemark.kafka.RecordDecoder;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.UnreadableRecords;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A reader of the commands in the topic {@code watch} that announces their effect to every partition of the topic
 * {@code control}. Confined to the ledger's thread.
 *
 * <p>The next owner must neither repeat nor skip a version of an announcement. The topic {@code control} is too long to
 * be searched for the last version, so the topic {@code watch} also holds the last announcement with its version.
 */
public final class CommandAnnouncer implements AutoCloseable {

  private final Consumer<byte[], byte[]> consumer;
  private final RecordDecoder<Watch> decoder;
  private final Announcements announcements;
  private final java.util.function.Consumer<Watch> targets;
  /** Unusable records, which the next {@link #announce} quarantines. */
  private final UnreadableRecords unreadable;

  /**
   * A processor of commands that announces their effect, such as the rules and silences in force. Each session has its
   * own processor.
   */
  public interface Announcements {

    /**
     * Applies a command from the topic {@code watch}. A command of the kind {@link Ledger#IN_FORCE} records an earlier
     * announcement.
     */
    void apply(Watch command);

    /** Announces, through the ledger, everything that has to be announced by the given time. */
    void announceDue(Ledger ledger, Instant now);
  }

  private CommandAnnouncer(
      LedgerSettings settings, RecordDecoder<Watch> decoder, Announcements announcements,
      java.util.function.Consumer<Watch> targets) {
    this.consumer = settings.consumer();
    this.decoder = decoder;
    this.unreadable = new UnreadableRecords(settings.quarantine());
    this.announcements = announcements;
    this.targets = targets;
  }

  /**
   * Opens an announcer and applies all commands that the topic {@code watch} holds. Blocks until these commands are
   * read.
   *
   * @param targets accepts each command too, to add and remove the targets that it names
   * @throws LedgerFailure if Kafka does not answer
   */
  static CommandAnnouncer open(LedgerSettings settings, SchemaRegistry registry, Announcements announcements,
      java.util.function.Consumer<Watch> targets) {
    var topic = settings.topics().watch();
    var announcer = new CommandAnnouncer(settings, topic.decoder(registry), announcements, targets);
    try {
      new TopicRestore(announcer.consumer, List.of(topic), settings.layout().partitions())
          .readEach(announcer::apply);
      return announcer;
    } catch (RuntimeException e) {
      announcer.close();
      throw LedgerFailure.of(settings.source(), "read the commands of the topic watch", e);
    }
  }

  /**
   * Applies the new commands that the consumer has already fetched, without waiting for others, and announces what is
   * due. If records were unusable, quarantines them and commits everything that is appended.
   */
  void announce(Ledger ledger, Instant now) {
    consumer.poll(Duration.ZERO).forEach(this::apply);
    if (!unreadable.isEmpty()) {
      unreadable.drainTo(ledger::quarantine);
      ledger.commit();
    }
    announcements.announceDue(ledger, now);
  }

  /** Ignores a tombstone, and skips an unusable record, so that no writer of the topic can stop the source. */
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
      targets.accept(command);
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

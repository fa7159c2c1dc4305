package io.tidemark.cli.rules;

import io.tidemark.event.Watch;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.file.RuleAnnouncements;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Reads the commands on the topic {@code watch} of a source, and the announcements of its owner. */
final class RuleAnnouncementReader implements AutoCloseable {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final String topic;
  private final TopicReader reader;
  private final RuleAnnouncements announcements;
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  /** @param reader reader of the topic {@code watch}; closed together with this object */
  RuleAnnouncementReader(Topics topics, TopicReader reader) {
    this.topic = topics.watch().name();
    this.reader = reader;
    this.announcements = new RuleAnnouncements(null, topics.ruleSchemas(), topics.retention().changes());
  }

  /**
   * Reads the records committed since the last read, or all records at the first read, and returns the rules and
   * silences so far. Each read returns the same object, changed.
   */
  RuleAnnouncements read() {
    var partitions = reader.offsets().partitions(List.of(topic));
    if (positions.isEmpty()) {
      positions.putAll(reader.offsets().earliest(partitions));
    }
    var records = new LinkedHashMap<String, CommittedRecord>();
    reader.offsets().latest(partitions).forEach((partition, end) -> {
      var begin = Objects.requireNonNull(positions.put(partition, end));
      reader.read(new OffsetRange(topic, partition.partition(), begin, end), record -> {
        records.remove(identity(record));
        records.put(identity(record), record);
      });
    });
    records.values().forEach(this::apply);
    return announcements;
  }

  /**
   * Returns a key under which a later record of the same read replaces an earlier record. Only announcements are
   * replaced: an announcement replaces the previous announcement of the same name, so that only the last announcement
   * is compiled, because compiling takes time.
   */
  private static String identity(CommittedRecord record) {
    return record.value() instanceof Watch command && command.getKind().equals(RuleAnnouncements.IN_FORCE)
        ? command.getName()
        : record.location();
  }

  /** Reads until the announcements pass the test, and returns them. Returns null if the timeout passes first. */
  @Nullable
  RuleAnnouncements await(Predicate<RuleAnnouncements> done, Duration timeout) {
    var deadline = System.nanoTime() + timeout.toNanos();
    while (!done.test(read())) {
      if (System.nanoTime() > deadline) {
        return null;
      }
      AdminCalls.sleep(POLL_INTERVAL);
    }
    return announcements;
  }

  /** Applies a command. Skips and logs a command that cannot be used, as the owner of the source does. */
  private void apply(CommittedRecord record) {
    if (record.unreadable() != null) {
      logSkipped(record, record.unreadable().detail());
    } else if (record.value() instanceof Watch command) {
      try {
        announcements.apply(command);
      } catch (RuntimeException e) {
        logSkipped(record, e.toString());
      }
    }
  }

  private static void logSkipped(CommittedRecord record, String reason) {
    LoggerFactory.getLogger(RuleAnnouncementReader.class).warn(
        "skipped the command at {}, which cannot be used; the owner of the source skips it, too. Cause: {}",
        record.location(), reason);
  }

  @Override
  public void close() {
    reader.close();
  }
}

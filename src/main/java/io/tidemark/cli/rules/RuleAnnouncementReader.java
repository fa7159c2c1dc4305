package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.event.Watch;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.TopicReader;
import io.tidemark.topic.Topics;
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

/** Reads what is requested on the topic {@code watch} of a source, and what its owner announced there. */
final class RuleAnnouncementReader implements AutoCloseable {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final String topic;
  private final TopicReader reader;
  private final RuleAnnouncements announcements;
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  /** @param reader of the topic {@code watch}; closed with this */
  RuleAnnouncementReader(Topics topics, TopicReader reader) {
    this.topic = topics.watch().name();
    this.reader = reader;
    this.announcements = RuleAnnouncements.ofOtherOwner(topics.ruleSchemas(), topics.retention().changes());
  }

  /** Reads up to what is committed now. Later reads change what is returned. */
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

  /** An announcement replaces the one before it of its kind. To compile its rules takes time, so only the last one is. */
  private static String identity(CommittedRecord record) {
    return record.value() instanceof Watch command && command.getKind().equals(RuleAnnouncements.IN_FORCE)
        ? command.getName()
        : record.location();
  }

  /** Reads until the announcements pass a test. Returns null where the timeout passes first. */
  @Nullable
  RuleAnnouncements await(Predicate<RuleAnnouncements> done, Duration timeout) {
    var deadline = System.nanoTime() + timeout.toNanos();
    while (!done.test(read())) {
      if (System.nanoTime() > deadline) {
        return null;
      }
      pause();
    }
    return announcements;
  }

  /** Skips commands that cannot be used, as the owner does, and logs them. */
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
        "{}: skips a command that cannot be used, as the owner of the source does: {}", record.location(), reason);
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_INTERVAL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "interrupted while waiting for the rules to be in force");
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}

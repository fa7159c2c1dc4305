package io.tidemark.eventlog;

import io.tidemark.audit.ClusterReader;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.OpenTransaction;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** An event log in the form in which an audit reads a cluster. A topic without records has one partition. */
public final class EventLogTopics implements ClusterReader {

  private final Map<String, List<EventLog.Entry>> entries;
  private final List<OpenTransaction> open;

  EventLogTopics(EventLog eventLog, List<OpenTransaction> open) {
    this.entries = eventLog.entries().stream().collect(Collectors.groupingBy(EventLog.Entry::topic));
    this.open = open;
  }

  /** Reads lines with one JSON object each, as {@code tidemark tail --format json} prints them. */
  public static EventLogTopics of(List<String> lines, Topics topics, List<OpenTransaction> open) {
    return new EventLogTopics(EventLogFile.read(String.join("\n", lines), topics), open);
  }

  private List<EventLog.Entry> in(String topic) {
    return entries.getOrDefault(topic, List.of());
  }

  @Override
  public int partitions(String topic) {
    return 1 + entries.values().stream().flatMap(List::stream).mapToInt(EventLog.Entry::partition).max().orElse(0);
  }

  @Override
  public OffsetRange range(Topic<?> topic, int partition) {
    return new OffsetRange(topic.name(), partition, offsets(topic, partition).min().orElse(0),
        1 + offsets(topic, partition).max().orElse(-1));
  }

  private LongStream offsets(Topic<?> topic, int partition) {
    return in(topic.name()).stream().filter(each -> each.partition() == partition).mapToLong(EventLog.Entry::offset);
  }

  @Override
  public void read(OffsetRange span, Consumer<CommittedRecord> reader) {
    in(span.topic()).stream()
        .filter(each -> each.partition() == span.partition())
        .filter(each -> each.offset() >= span.begin() && each.offset() < span.end())
        .map(EventLogTopics::row)
        .forEach(reader);
  }

  private static CommittedRecord row(EventLog.Entry entry) {
    return new CommittedRecord(entry.topic(), entry.partition(), entry.offset(), entry.timestamp().toEpochMilli(),
        entry.key(), entry.headers(), String.valueOf(entry.value()).length(), entry.value(), unreadable(entry));
  }

  @Override
  public String topicId(String topic) {
    return in(topic).isEmpty() ? null : "id-of-" + topic;
  }

  /** Returns a tombstone in a topic of changes as an unreadable record, as a reader of Kafka does. */
  private static UnreadableRecord unreadable(EventLog.Entry entry) {
    return entry.value() != null || !entry.topic().endsWith(".changes")
        ? null
        : new UnreadableRecord(entry.topic(), entry.partition(), entry.offset(), entry.timestamp().toEpochMilli(), null,
            null, UnreadableReason.MISSING_VALUE, "a tombstone");
  }

  @Override
  public List<OpenTransaction> openTransactions(Topic<?> topic) {
    return open.stream().filter(each -> each.topic().equals(topic.name())).toList();
  }
}

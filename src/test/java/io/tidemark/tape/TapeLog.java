package io.tidemark.tape;

import io.tidemark.audit.Log;
import io.tidemark.audit.OpenTransaction;
import io.tidemark.audit.Row;
import io.tidemark.audit.Span;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A tape, as an audit reads a cluster. A topic without records has one partition. */
public final class TapeLog implements Log {

  private final Map<String, List<Tape.Entry>> entries;
  private final List<OpenTransaction> open;

  TapeLog(Tape tape, List<OpenTransaction> open) {
    this.entries = tape.entries().stream().collect(Collectors.groupingBy(Tape.Entry::topic));
    this.open = open;
  }

  /** One JSON object a line, as {@code tidemark tail --format json} prints it. */
  public static TapeLog of(List<String> lines, Topics topics, List<OpenTransaction> open) {
    return new TapeLog(TapeFile.read(String.join("\n", lines), topics), open);
  }

  private List<Tape.Entry> in(Topic<?> topic) {
    return entries.getOrDefault(topic.name(), List.of());
  }

  @Override
  public int partitions(Topic<?> topic) {
    return 1 + in(topic).stream().mapToInt(Tape.Entry::partition).max().orElse(0);
  }

  @Override
  public Span span(Topic<?> topic, int partition) {
    return new Span(topic, partition, offsets(topic, partition).min().orElse(0),
        1 + offsets(topic, partition).max().orElse(-1));
  }

  private LongStream offsets(Topic<?> topic, int partition) {
    return in(topic).stream().filter(each -> each.partition() == partition).mapToLong(Tape.Entry::offset);
  }

  @Override
  public void read(Span span, Consumer<Row> reader) {
    in(span.topic()).stream()
        .filter(each -> each.partition() == span.partition())
        .filter(each -> each.offset() >= span.begin() && each.offset() < span.end())
        .map(TapeLog::row)
        .forEach(reader);
  }

  private static Row row(Tape.Entry entry) {
    return new Row(entry.topic(), entry.partition(), entry.offset(), entry.timestamp().toEpochMilli(), entry.key(),
        entry.headers(), entry.value(), null);
  }

  @Override
  public List<OpenTransaction> open(Topic<?> topic) {
    return open.stream().filter(each -> each.topic().equals(topic.name())).toList();
  }
}

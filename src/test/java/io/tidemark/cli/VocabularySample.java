package io.tidemark.cli;

import io.tidemark.event.AvroSettings;
import io.tidemark.rule.expression.AttributeHistory;
import io.tidemark.rule.expression.EvaluatedRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A record made from names of its vocabulary, with a history of its resource. */
final class VocabularySample implements AttributeHistory {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final SpecificRecord record;
  private final Map<String, WindowSummary> past = new HashMap<>();

  static {
    AvroSettings.apply();
  }

  private VocabularySample(SpecificRecord record) {
    this.record = record;
  }

  static VocabularySample of(Schema schema) {
    return new VocabularySample(made(schema));
  }

  EvaluatedRecord evaluated() {
    return new EvaluatedRecord(record, this);
  }

  /** Sets the value after of a facet's change; with {@code before.}, the value before. */
  VocabularySample with(String path, @Nullable Object value) {
    var parts = List.of(path.split("\\."));
    var before = parts.getFirst().equals("before");
    put(record, before ? parts.subList(1, parts.size()) : parts, before ? "before" : "after", value);
    return this;
  }

  /** The history of an attribute: the value at the beginning of the window, and those since. */
  VocabularySample since(String path, double first, double... values) {
    var all = Arrays.stream(values).summaryStatistics();
    past.put(path, new WindowSummary(
        first, Math.min(first, all.getMin()), Math.max(first, all.getMax()), all.getSum(), all.getCount()));
    return this;
  }

  @Override
  public Instant now() {
    return NOON;
  }

  @Override
  public @Nullable WindowSummary window(String path, Duration length) {
    return past.get(path);
  }

  @Override
  public @Nullable Instant changedAt(String path) {
    return null;
  }

  private static void put(SpecificRecord in, List<String> path, String side, @Nullable Object value) {
    var field = in.getSchema().getField(path.getFirst());
    if (field == null) {
      put(inside(in, in.getSchema().getField(side)), path, side, value);
    } else if (path.size() == 1) {
      in.put(field.pos(), value);
    } else {
      put(inside(in, field), path.subList(1, path.size()), side, value);
    }
  }

  private static SpecificRecord inside(SpecificRecord in, Schema.Field field) {
    if (in.get(field.pos()) == null) {
      in.put(field.pos(), made(present(field.schema())));
    }
    return (SpecificRecord) in.get(field.pos());
  }

  private static SpecificRecord made(Schema schema) {
    var made = (SpecificRecord) SpecificData.get().newRecord(null, schema);
    schema.getFields().forEach(field -> made.put(field.pos(),
        SpecificData.get().deepCopy(field.schema(), SpecificData.get().getDefaultValue(field))));
    return made;
  }

  private static Schema present(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }
}

package io.tidemark.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Field;
import org.junit.jupiter.api.Test;

class FieldUnitsTest {

  /** What these hold has the unit of the attribute that has them. */
  static final Set<String> CONTAINED =
      Set.of("Windows", "TradeWindows", "Timeframes", "Converted", "ConvertedText", "TokenVolume",
          "CodeAdditionsDeletions", "Trades");

  final Map<String, Schema> records = new LinkedHashMap<>();

  FieldUnitsTest() {
    Stream.concat(new Topics("t.", Retention.DEFAULT).all().stream(), ClusterTopics.UNPREFIXED.all().stream())
        .map(Topic::schema)
        .forEach(this::add);
  }

  @Test
  void everyFigure_hasAUnit() {
    var missing = new TreeSet<String>();
    records.values().forEach(record -> record.getFields().stream()
        .filter(field -> isFigure(record, field) && FieldUnits.of(record, field).isBlank())
        .forEach(field -> missing.add(FieldUnits.key(record, field))));

    assertThat(records).containsKeys("PoolPrice", "Candle", "Budget", "Windows");
    assertThat(missing).isEmpty();
  }

  @Test
  void everyUnit_isOfAFigure() {
    var used = new HashSet<String>();
    records.values().forEach(record -> record.getFields().stream()
        .filter(field -> isFigure(record, field))
        .forEach(field -> used.add(FieldUnits.keys().contains(FieldUnits.key(record, field))
            ? FieldUnits.key(record, field)
            : "*." + field.name())));

    var unused = new TreeSet<>(FieldUnits.keys());
    unused.removeAll(used);
    assertThat(unused).isEmpty();
  }

  /** Else readers take 0.05 for five percent, or 5 for five times. */
  @Test
  void everyPercentage_saysHowItIsMeant() {
    assertThat(records.values()).allSatisfy(record -> assertThat(record.getFields())
        .filteredOn(field -> isFigure(record, field) && field.name().contains("percent"))
        .allSatisfy(field -> assertThat(FieldUnits.of(record, field))
            .as(FieldUnits.key(record, field)).matches("percent.*: [0-9.]+ is [0-9.]+ %.*")));
  }

  private void add(Schema schema) {
    switch (schema.getType()) {
      case RECORD -> {
        if (records.putIfAbsent(schema.getName(), schema) == null) {
          schema.getFields().forEach(field -> add(field.schema()));
        }
      }
      case UNION -> schema.getTypes().forEach(this::add);
      case ARRAY -> add(schema.getElementType());
      case MAP -> add(schema.getValueType());
      default -> {}
    }
  }

  private static boolean isFigure(Schema record, Field field) {
    var isDecimal = record.getObjectProp("decimals") != null || field.getObjectProp("decimal") != null;
    return isFigure(AvroRecords.nonNull(field.schema()), isDecimal);
  }

  private static boolean isFigure(Schema type, boolean isDecimal) {
    return switch (type.getType()) {
      case INT, LONG, FLOAT, DOUBLE -> type.getLogicalType() == null;
      case STRING -> isDecimal;
      case ARRAY -> isFigure(AvroRecords.nonNull(type.getElementType()), isDecimal);
      case MAP -> isFigure(AvroRecords.nonNull(type.getValueType()), isDecimal);
      case RECORD -> CONTAINED.contains(type.getName());
      default -> false;
    };
  }
}

package io.tidemark.rule.expression;

import static org.apache.avro.Schema.Type.NULL;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import io.tidemark.event.Attribute;
import io.tidemark.event.FigureMath;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * How values of one schema look in a condition: their CEL type, and the way from the Avro value to the CEL value.
 *
 * <p>Nulls inside maps and lists are left out, so that a missing key and a null are both no data.
 */
record AvroToCel(CelType type, Conversion conversion) {

  /** From an Avro value to a CEL value; null where there is none. */
  interface Conversion {
    @Nullable
    Object convert(Object value);
  }

  /** The shape of a field's values, or null for bytes, which no condition can use. */
  static @Nullable AvroToCel of(Schema owner, Schema.Field field) {
    var schema = present(field.schema());
    if (schema.getType() == Schema.Type.STRING && Attribute.isDecimal(owner, field)) {
      return new AvroToCel(SimpleType.DOUBLE, text -> FigureMath.parse((String) text));
    }
    return of(schema);
  }

  /** The schema itself, or what a nullable one holds when it is not null. */
  static Schema present(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().filter(branch -> branch.getType() != NULL).findFirst().orElseThrow()
        : schema;
  }

  static boolean isNullable(Schema schema) {
    return schema.isUnion() && schema.isNullable();
  }

  private static @Nullable AvroToCel of(Schema schema) {
    return switch (schema.getType()) {
      case BOOLEAN -> new AvroToCel(SimpleType.BOOL, flag -> flag);
      case DOUBLE -> new AvroToCel(SimpleType.DOUBLE, number -> FigureMath.finite((Double) number));
      case INT -> new AvroToCel(SimpleType.INT, number -> ((Integer) number).longValue());
      case LONG -> new AvroToCel(isTime(schema) ? SimpleType.TIMESTAMP : SimpleType.INT, number -> number);
      case STRING -> new AvroToCel(SimpleType.STRING, text -> text);
      case MAP -> mapOf(of(present(schema.getValueType())));
      case ARRAY -> listOf(of(present(schema.getElementType())));
      case RECORD -> record(schema);
      default -> null;
    };
  }

  private static boolean isTime(Schema schema) {
    return schema.getLogicalType() instanceof LogicalTypes.TimestampMillis;
  }

  private static @Nullable AvroToCel mapOf(@Nullable AvroToCel values) {
    return values == null
        ? null
        : new AvroToCel(
            MapType.create(SimpleType.STRING, values.type), map -> known((Map<?, ?>) map, key -> values.conversion));
  }

  private static @Nullable AvroToCel listOf(@Nullable AvroToCel elements) {
    return elements == null
        ? null
        : new AvroToCel(ListType.create(elements.type), list -> known((Collection<?>) list, elements.conversion));
  }

  private static AvroToCel record(Schema schema) {
    var readings = new HashMap<String, Conversion>();
    var types = new TreeMap<String, CelType>();
    for (var field : schema.getFields()) {
      var shape = of(schema, field);
      if (shape != null) {
        readings.put(field.name(), shape.conversion);
        types.put(field.name(), shape.type);
      }
    }
    return new AvroToCel(
        RecordTypes.type(schema.getFullName(), types), value -> known(members((IndexedRecord) value), readings::get));
  }

  private static Map<String, @Nullable Object> members(IndexedRecord record) {
    var members = new HashMap<String, @Nullable Object>();
    record.getSchema().getFields().forEach(field -> members.put(field.name(), record.get(field.pos())));
    return members;
  }

  private static Map<String, Object> known(Map<?, ?> map, Function<String, @Nullable Conversion> readings) {
    var known = new HashMap<String, Object>();
    map.forEach((key, value) -> {
      var reading = readings.apply((String) key);
      var read = value == null || reading == null ? null : reading.convert(value);
      if (read != null) {
        known.put((String) key, read);
      }
    });
    return known;
  }

  private static List<Object> known(Collection<?> list, Conversion reading) {
    return list.stream().filter(Objects::nonNull).<Object>map(reading::convert).filter(Objects::nonNull).toList();
  }
}

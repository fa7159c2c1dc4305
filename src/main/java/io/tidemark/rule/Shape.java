package io.tidemark.rule;

import static org.apache.avro.Schema.Type.NULL;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
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
record Shape(CelType type, Reading reading) {

  /** From an Avro value to a CEL value; null where there is none. */
  interface Reading {
    @Nullable
    Object read(Object value);
  }

  /** The shape of a field's values, or null for bytes, which no condition can use. */
  static @Nullable Shape of(Schema owner, Schema.Field field) {
    var schema = present(field.schema());
    if (schema.getType() == Schema.Type.STRING && Decimals.isDecimal(owner, field)) {
      return new Shape(SimpleType.DOUBLE, text -> Decimals.parse((String) text));
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

  private static @Nullable Shape of(Schema schema) {
    return switch (schema.getType()) {
      case BOOLEAN -> new Shape(SimpleType.BOOL, flag -> flag);
      case DOUBLE -> new Shape(SimpleType.DOUBLE, number -> Decimals.finite((Double) number));
      case INT -> new Shape(SimpleType.INT, number -> ((Integer) number).longValue());
      case LONG -> new Shape(isTime(schema) ? SimpleType.TIMESTAMP : SimpleType.INT, number -> number);
      case STRING -> new Shape(SimpleType.STRING, text -> text);
      case MAP -> mapOf(of(present(schema.getValueType())));
      case ARRAY -> listOf(of(present(schema.getElementType())));
      case RECORD -> record(schema);
      default -> null;
    };
  }

  private static boolean isTime(Schema schema) {
    return schema.getLogicalType() instanceof LogicalTypes.TimestampMillis;
  }

  private static @Nullable Shape mapOf(@Nullable Shape values) {
    return values == null
        ? null
        : new Shape(
            MapType.create(SimpleType.STRING, values.type), map -> known((Map<?, ?>) map, key -> values.reading));
  }

  private static @Nullable Shape listOf(@Nullable Shape elements) {
    return elements == null
        ? null
        : new Shape(ListType.create(elements.type), list -> known((Collection<?>) list, elements.reading));
  }

  private static Shape record(Schema schema) {
    var readings = new HashMap<String, Reading>();
    var types = new TreeMap<String, CelType>();
    for (var field : schema.getFields()) {
      var shape = of(schema, field);
      if (shape != null) {
        readings.put(field.name(), shape.reading);
        types.put(field.name(), shape.type);
      }
    }
    return new Shape(
        Members.type(schema, types), value -> known(members((IndexedRecord) value), readings::get));
  }

  private static Map<String, @Nullable Object> members(IndexedRecord record) {
    var members = new HashMap<String, @Nullable Object>();
    record.getSchema().getFields().forEach(field -> members.put(field.name(), record.get(field.pos())));
    return members;
  }

  private static Map<String, Object> known(Map<?, ?> map, Function<String, @Nullable Reading> readings) {
    var known = new HashMap<String, Object>();
    map.forEach((key, value) -> {
      var reading = readings.apply((String) key);
      var read = value == null || reading == null ? null : reading.read(value);
      if (read != null) {
        known.put((String) key, read);
      }
    });
    return known;
  }

  private static List<Object> known(Collection<?> list, Reading reading) {
    return list.stream().filter(Objects::nonNull).<Object>map(reading::read).filter(Objects::nonNull).toList();
  }
}

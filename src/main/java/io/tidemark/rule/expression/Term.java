package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import io.tidemark.event.Attribute;
import io.tidemark.event.Attribute.ListOf;
import io.tidemark.event.Attribute.MapOf;
import io.tidemark.event.Attribute.RecordOf;
import io.tidemark.event.Attribute.Scalar;
import io.tidemark.event.DecimalMath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * One name of a vocabulary, with the CEL type of its value and an accessor that finds the value in a record.
 *
 * @param avro finds the value as the record has it, such as a decimal with all its digits
 * @param allowedTexts all texts that the value can be; empty if the schema does not limit them
 * @param ofPrevious whether the value is that of the previous record of the same key
 */
record Term(String name, CelType type, Accessor accessor, Accessor avro, List<String> allowedTexts,
    boolean ofPrevious) {

  Term ofPrevious(String prefix) {
    return new Term(prefix + name, type, accessor, avro, allowedTexts, true);
  }

  /**
   * Returns the term of an attribute, or null if the attribute is bytes, or a list or map of bytes, which expressions
   * cannot use.
   */
  static @Nullable Term of(String name, Attribute attribute, Accessor accessor) {
    var conversion = AvroToCel.of(attribute.type());
    return conversion == null
        ? null
        : new Term(name, conversion.type, accessor.converted(conversion), accessor, attribute.values(), false);
  }

  /** Finds a value in a record. The result is null if the value, or a record or map that contains it, is missing. */
  interface Accessor {

    Accessor ROOT = record -> record;

    @Nullable
    Object in(IndexedRecord record);

    /** Returns the accessor of an attribute of the record that this accessor finds. */
    default Accessor attribute(Attribute attribute) {
      return root -> in(root) instanceof IndexedRecord record ? attribute.in(record) : null;
    }

    /** Returns the accessor of the value of a key in the map that this accessor finds. */
    default Accessor key(String key) {
      return root -> in(root) instanceof Map<?, ?> map ? map.get(key) : null;
    }

    /** Returns an accessor that converts the value that this accessor finds to a value of CEL. */
    default Accessor converted(AvroToCel conversion) {
      return root -> {
        var value = in(root);
        return value == null ? null : conversion.function.apply(value);
      };
    }
  }

  /**
   * Converts the values of one Avro type to values of CEL. Nulls in maps, lists and records are left out, so that CEL
   * treats a null like a missing value.
   *
   * @param type the CEL type of the converted values
   * @param function returns null if there is no CEL value, such as for NaN
   */
  record AvroToCel(CelType type, Function<Object, @Nullable Object> function) {

    /**
     * Returns the conversion of the values of a type, or null if expressions cannot use them because they are bytes, or
     * lists or maps of bytes.
     */
    static @Nullable AvroToCel of(Attribute.Type type) {
      return switch (type) {
        case Scalar scalar -> scalar(scalar);
        case MapOf(var values) -> map(of(values));
        case ListOf(var elements) -> list(of(elements));
        case RecordOf record -> record(record);
      };
    }

    private static @Nullable AvroToCel scalar(Scalar scalar) {
      return switch (scalar) {
        case BOOLEAN -> new AvroToCel(SimpleType.BOOL, flag -> flag);
        case DOUBLE, DECIMAL -> new AvroToCel(SimpleType.DOUBLE, DecimalMath::number);
        case INT -> new AvroToCel(SimpleType.INT, number -> ((Integer) number).longValue());
        case LONG -> new AvroToCel(SimpleType.INT, number -> number);
        case TIME -> new AvroToCel(SimpleType.TIMESTAMP, time -> time);
        case TEXT -> new AvroToCel(SimpleType.STRING, text -> text);
        case BYTES -> null;
      };
    }

    private static @Nullable AvroToCel map(@Nullable AvroToCel values) {
      return values == null ? null : new AvroToCel(MapType.create(SimpleType.STRING, values.type), map -> {
        var converted = new HashMap<String, Object>();
        ((Map<?, ?>) map).forEach((key, value) -> values.put(converted, (String) key, value));
        return converted;
      });
    }

    private static @Nullable AvroToCel list(@Nullable AvroToCel elements) {
      return elements == null ? null : new AvroToCel(ListType.create(elements.type), list -> ((Collection<?>) list)
          .stream()
          .filter(Objects::nonNull)
          .<@Nullable Object>map(elements.function)
          .filter(Objects::nonNull)
          .toList());
    }

    private record Field(Attribute attribute, AvroToCel conversion) {}

    private static AvroToCel record(RecordOf record) {
      var fields = new ArrayList<Field>();
      var types = new TreeMap<String, CelType>();
      for (var attribute : record.attributes()) {
        var conversion = of(attribute.type());
        if (conversion != null) {
          fields.add(new Field(attribute, conversion));
          types.put(attribute.name(), conversion.type);
        }
      }
      return new AvroToCel(RecordTypes.type(record.schema().getFullName(), types), value -> {
        var converted = new HashMap<String, Object>();
        fields.forEach(field -> field.conversion.put(
            converted, field.attribute.name(), field.attribute.in((IndexedRecord) value)));
        return converted;
      });
    }

    private void put(Map<String, Object> converted, String name, @Nullable Object value) {
      var result = value == null ? null : function.apply(value);
      if (result != null) {
        converted.put(name, result);
      }
    }
  }
}

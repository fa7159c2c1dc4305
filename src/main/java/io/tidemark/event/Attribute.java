package io.tidemark.event;

import java.util.Collection;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * One field of the records of a schema, with its name, position and value type. It is read from the schema once, not
 * for each record.
 *
 * @param values the closed set of allowed texts; empty if any text is allowed
 * @param field the field in the schema, which has the documentation and other properties
 */
@NullMarked
public record Attribute(
    String name, int position, Type type, boolean nullable, List<String> values, Schema.Field field) {

  /** The type of an attribute's non-null values. */
  public sealed interface Type {}

  /**
   * A type of single values, which have no attributes, elements or entries. {@code DECIMAL} is text that the schema
   * declares to be a number; whether it is one is not checked. {@code TIME} is a time in milliseconds, and an {@code
   * Instant} in records. Times that the service sends as values are {@code TEXT} or {@code LONG}.
   */
  public enum Scalar implements Type {
    BOOLEAN,
    INT,
    LONG,
    DOUBLE,
    DECIMAL,
    TEXT,
    TIME,
    BYTES
  }

  /** A map with text keys. All values have the same type or are null. */
  public record MapOf(Type values) implements Type {}

  /** A list whose elements all have the same type. */
  public record ListOf(Type elements) implements Type {}

  /** A nested record with its attributes. */
  public record RecordOf(Schema schema, List<Attribute> attributes) implements Type {}

  static List<Attribute> of(Schema owner) {
    return owner.getFields().stream().map(field -> of(owner, field)).toList();
  }

  private static Attribute of(Schema owner, Schema.Field field) {
    var schema = AvroRecords.nonNull(field.schema());
    var type = isDecimal(owner, field) && schema.getType() == Schema.Type.STRING ? Scalar.DECIMAL : type(schema);
    return new Attribute(field.name(), field.pos(), type, field.schema().isNullable(), values(field), field);
  }

  private static boolean isDecimal(Schema owner, Schema.Field field) {
    return owner.getObjectProp("decimals") != null || field.getObjectProp("decimal") != null;
  }

  private static Type type(Schema schema) {
    return switch (schema.getType()) {
      case BOOLEAN -> Scalar.BOOLEAN;
      case INT -> Scalar.INT;
      case LONG -> schema.getLogicalType() instanceof LogicalTypes.TimestampMillis ? Scalar.TIME : Scalar.LONG;
      case DOUBLE -> Scalar.DOUBLE;
      case STRING -> Scalar.TEXT;
      case BYTES -> Scalar.BYTES;
      case MAP -> new MapOf(type(AvroRecords.nonNull(schema.getValueType())));
      case ARRAY -> new ListOf(type(AvroRecords.nonNull(schema.getElementType())));
      case RECORD -> new RecordOf(schema, of(schema));
      default -> throw new IllegalStateException("Tidemark's schemas do not support the Avro type " + schema.getType());
    };
  }

  private static List<String> values(Schema.Field field) {
    return field.getObjectProp("values") instanceof Collection<?> values
        ? values.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** Returns the value of this attribute in a record, or null if the record has no value for it. */
  public @Nullable Object in(IndexedRecord record) {
    return record.get(position);
  }

  /**
   * Returns the given text property of the schema field, such as {@code json}, {@code derived} or {@code of}, or null
   * if the field does not have the property.
   */
  public @Nullable String property(String property) {
    return field.getProp(property);
  }
}

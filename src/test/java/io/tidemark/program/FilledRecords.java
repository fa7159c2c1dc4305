package io.tidemark.program;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;

/** Records in which no field is null or empty. */
public final class FilledRecords {

  static final String TEXT = "text";

  private FilledRecords() {}

  /** In the Confluent wire format. */
  public static byte[] bytes(Schema schema, int id) throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(0);
    bytes.write(ByteBuffer.allocate(Integer.BYTES).putInt(id).array());
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<Object>(schema).write(value(schema), encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  /** Counts the values that are no records, lists or maps. */
  static long leaves(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> schema.getFields().stream().mapToLong(field -> leaves(field.schema())).sum();
      case UNION -> leaves(something(schema));
      case ARRAY -> leaves(schema.getElementType());
      case MAP -> leaves(schema.getValueType());
      default -> 1;
    };
  }

  private static Object value(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> {
        var made = new GenericData.Record(schema);
        schema.getFields().forEach(field -> made.put(field.pos(), value(field.schema())));
        yield made;
      }
      case UNION -> value(something(schema));
      case ARRAY -> List.of(value(schema.getElementType()));
      case MAP -> Map.of(TEXT, value(schema.getValueType()));
      case STRING -> TEXT;
      case INT -> 7;
      case LONG -> 1_795_251_712_243L;
      case DOUBLE -> 0.5;
      case BOOLEAN -> true;
      case BYTES -> ByteBuffer.wrap(new byte[] {1});
      default -> throw new IllegalArgumentException("no sample of " + schema.getType());
    };
  }

  /** The branch of a union that is not null. */
  private static Schema something(Schema union) {
    return union.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow();
  }
}

package io.tidemark.cli.reference;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The unit of each figure in the schemas, and the time or amount that it is of. It stands beside the schemas, because a
 * schema with other documentation is another schema.
 */
final class FieldUnits {

  private static final Properties UNITS = read();

  private FieldUnits() {}

  /** In a few words; empty where the field is no figure. */
  static String of(Schema record, Schema.Field field) {
    return UNITS.getProperty(key(record, field), UNITS.getProperty("*." + field.name(), ""));
  }

  static String key(Schema record, Schema.Field field) {
    return record.getName() + "." + field.name();
  }

  /** The fields with a unit, as {@code record.field}, or {@code *.field} where it holds for all other records. */
  static Set<String> keys() {
    return UNITS.stringPropertyNames();
  }

  private static Properties read() {
    var units = new Properties();
    try (var in = Objects.requireNonNull(FieldUnits.class.getResourceAsStream("units.properties"));
        var reader = new InputStreamReader(in, StandardCharsets.UTF_8)) {
      units.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return units;
  }
}

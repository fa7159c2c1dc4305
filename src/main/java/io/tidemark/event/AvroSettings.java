package io.tidemark.event;

import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.util.ClassSecurityValidator;

/** Process-wide settings of Avro that reading and comparing records require. */
public final class AvroSettings {
  private AvroSettings() {}

  /**
   * Allows Avro to instantiate the generated classes. Also registers the timestamp conversion globally, because Avro
   * ignores the conversions of the generated classes when it compares timestamps in lists. Repeated calls have no
   * effect.
   */
  public static void apply() {
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.DEFAULT, type -> type.getPackage() == AvroSettings.class.getPackage()));
    GenericData.get().addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
  }
}

package io.tidemark.event;

import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.util.ClassSecurityValidator;

/** Settings of Avro that hold for the whole process, and without which records cannot be read or compared. */
public final class AvroSettings {
  private AvroSettings() {}

  /**
   * Puts the generated classes on Avro's list of those that it may instantiate, and lets it compare the timestamps in the
   * lists that it has read, for which it does not ask the classes. Idempotent.
   */
  public static void apply() {
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.DEFAULT, type -> type.getPackage() == AvroSettings.class.getPackage()));
    GenericData.get().addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
  }
}

package io.tidemark.event;

import org.apache.avro.util.ClassSecurityValidator;

/** The generated classes of this package, which Avro instantiates only where they are trusted. */
public final class AvroSettings {
  private AvroSettings() {}

  /** Trusts the generated classes, besides those that Avro trusts by itself. Idempotent. */
  public static void trust() {
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.DEFAULT, type -> type.getPackage() == AvroSettings.class.getPackage()));
  }
}

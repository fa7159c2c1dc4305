package io.tidemark.event;

import org.apache.avro.util.ClassSecurityValidator;

/** The generated classes of this package, which Avro does not instantiate unless it is told to trust them. */
public final class EventClasses {
  private EventClasses() {}

  /** Lets Avro make records of this package, besides what it trusts by itself. Once in a JVM is enough; more is no harm. */
  public static void trust() {
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.DEFAULT, type -> type.getPackage() == EventClasses.class.getPackage()));
  }
}

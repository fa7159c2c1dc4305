package io.tidemark.cli.wiring;

import java.util.Locale;

/** A part of the program that may run without the others. */
public enum Role {
  POLL,
  STREAM,
  WEB;

  /** As it is written on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

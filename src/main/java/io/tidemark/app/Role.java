package io.tidemark.app;

import java.util.Locale;

/** A part of the program that can run in a process of its own. */
public enum Role {
  POLL,
  STREAM,
  WEB;

  /** Returns the name of this role on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

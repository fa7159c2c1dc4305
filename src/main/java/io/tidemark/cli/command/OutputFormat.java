package io.tidemark.cli.command;

import java.util.Locale;

/** The format that a command prints its result in. */
public enum OutputFormat {
  TEXT,
  JSON;

  /** Returns the name of this format on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package io.tidemark.cli.command;

import java.util.Locale;

/** The format that a command prints its result in. */
public enum OutputFormat {
  TEXT,
  JSON;

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

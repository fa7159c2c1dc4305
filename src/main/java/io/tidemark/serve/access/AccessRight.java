package io.tidemark.serve.access;

import java.util.Locale;

/** A right that a key grants. */
public enum AccessRight {
  /** The right to read everything that the web port serves. */
  READ,
  /** The right to add and end silences; includes {@link #READ}. */
  WRITE,
  /**
   * The right to apply and drop rules, and to add and remove watched targets, which spends calls of the plan; includes
   * {@link #WRITE}.
   */
  CONFIGURE;

  /** Returns the name of this right in the configuration and in responses. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

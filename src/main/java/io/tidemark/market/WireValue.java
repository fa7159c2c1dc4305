package io.tidemark.market;

import java.util.Locale;

/** An enum constant that has a name on the wire. Its enum is a closed set of values in the interface document. */
public interface WireValue {
  String name();

  /** Returns the name on the wire, which is the constant's name in lower case unless the enum overrides it. */
  default String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

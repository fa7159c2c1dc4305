package io.tidemark.market;

import java.util.Locale;

/** An enum constant that has a name on the wire: in the interface document, in records or in metrics. */
public interface WireValue {
  String name();

  /** Returns the name on the wire, which is the constant's name in lower case unless the enum overrides it. */
  default String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

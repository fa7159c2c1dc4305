package io.tidemark.market;

import java.util.Locale;

/** A value of a closed set of the interface document: an enum constant with its name on the wire. */
public interface WireValue {
  String name();

  /** The name on the wire: that of the constant in lower case, unless the enum says otherwise. */
  default String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

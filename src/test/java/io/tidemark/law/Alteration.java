package io.tidemark.law;

import java.util.Map;

/**
 * A change of one place in a body that the service sends.
 *
 * @param json the new value; null removes it, and what was known stays known
 * @param known the attributes of the facet that are known of that place afterwards
 */
record Alteration(String what, String json, Map<String, Object> known) {
  static final Alteration ABSENT = new Alteration("absent", null, Map.of());
  static final Alteration NULL = new Alteration("null", "null", Map.of());

  @Override
  public String toString() {
    return what + " " + json;
  }
}

package io.tidemark.law;

import java.util.Map;

/**
 * What becomes of one place upstream.
 *
 * @param json what stands there; null: nothing does, and what was known stays known
 * @param known attributes of the facet that are then known of that place
 */
record Alteration(String what, String json, Map<String, Object> known) {
  static final Alteration ABSENT = new Alteration("absent", null, Map.of());
  static final Alteration NULL = new Alteration("null", "null", Map.of());

  @Override
  public String toString() {
    return what + " " + json;
  }
}

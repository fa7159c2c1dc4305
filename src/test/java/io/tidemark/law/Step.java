package io.tidemark.law;

import java.util.Map;

/**
 * What becomes of one place upstream.
 *
 * @param json what stands there; null: nothing does, and what was known stays known
 * @param known attributes of the facet that are then known of that place
 */
record Step(String what, String json, Map<String, Object> known) {
  static final Step ABSENT = new Step("absent", null, Map.of());
  static final Step NULL = new Step("null", "null", Map.of());

  @Override
  public String toString() {
    return what + " " + json;
  }
}

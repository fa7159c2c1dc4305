package io.tidemark.tape;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a body showed of one facet: its values by attribute, and the paths that were null. What is in neither was absent.
 */
record Shown(Map<String, Object> values, Set<String> nulls) {
  /** The attribute of the facet {@code extra}: an object whose members merge by key. */
  static final String EXTRA = "json";

  Shown {
    values = Map.copyOf(values);
    nulls = Set.copyOf(nulls);
  }

  /** What is known when this is believed: absent leaves what was known, null takes it away. */
  Map<String, Object> over(Map<String, Object> known) {
    var after = new TreeMap<>(known);
    after.keySet().removeIf(name -> nulls.stream().anyMatch(path -> name.equals(path) || name.startsWith(path + ".")));
    values.forEach((name, value) -> after.merge(name, value, (old, now) -> name.equals(EXTRA) ? merge(old, now) : now));
    return after;
  }

  /** What is known when this only adds what was not known. */
  Map<String, Object> under(Map<String, Object> known) {
    return new Shown(known, Set.of()).over(over(Map.of()));
  }

  private static Object merge(@Nullable Object known, @Nullable Object shown) {
    if (!(known instanceof Map<?, ?> before && shown instanceof Map<?, ?> after)) {
      return shown == null ? Map.of() : shown;
    }
    var merged = new LinkedHashMap<Object, @Nullable Object>(before);
    after.forEach((key, value) -> merged.put(key, both(before.get(key), value)));
    return merged;
  }

  private static @Nullable Object both(@Nullable Object known, @Nullable Object shown) {
    return known instanceof Map && shown instanceof Map ? merge(known, shown) : shown;
  }

  /** Names of facets without those of which nothing was shown. */
  static Map<String, Shown> nonEmpty(Map<String, Shown> all) {
    var some = new HashMap<>(all);
    some.values().removeIf(shown -> shown.values.isEmpty() && shown.nulls.isEmpty());
    return some;
  }
}

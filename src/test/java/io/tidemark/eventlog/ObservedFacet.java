package io.tidemark.eventlog;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One facet as a body shows it: values by attribute, and the paths that are null. All other attributes are absent. */
record ObservedFacet(Map<String, Object> values, Set<String> nulls) {
  /** The attribute of the facet {@code extra}: an object whose members merge by key. */
  static final String EXTRA = "json";

  ObservedFacet {
    values = Map.copyOf(values);
    nulls = Set.copyOf(nulls);
  }

  /** Returns what is known if this is accepted: an absent attribute stays as it was, a null one becomes null. */
  Map<String, Object> over(Map<String, Object> known) {
    var after = new TreeMap<>(known);
    after.keySet().removeIf(name -> nulls.stream().anyMatch(path -> name.equals(path) || name.startsWith(path + ".")));
    values.forEach((name, value) -> after.merge(name, value, (old, now) -> name.equals(EXTRA) ? merge(old, now) : now));
    return after;
  }

  /** Returns what is known if this only adds unknown attributes. */
  Map<String, Object> under(Map<String, Object> known) {
    return new ObservedFacet(known, Set.of()).over(over(Map.of()));
  }

  private static Object merge(@Nullable Object known, @Nullable Object observed) {
    if (!(known instanceof Map<?, ?> before && observed instanceof Map<?, ?> after)) {
      return observed == null ? Map.of() : observed;
    }
    var merged = new LinkedHashMap<Object, @Nullable Object>(before);
    after.forEach((key, value) -> merged.put(key, both(before.get(key), value)));
    return merged;
  }

  private static @Nullable Object both(@Nullable Object known, @Nullable Object observed) {
    return known instanceof Map && observed instanceof Map ? merge(known, observed) : observed;
  }

  /** Returns the facets of which something was observed. */
  static Map<String, ObservedFacet> nonEmpty(Map<String, ObservedFacet> all) {
    var some = new HashMap<>(all);
    some.values().removeIf(observed -> observed.values.isEmpty() && observed.nulls.isEmpty());
    return some;
  }
}

package io.tidemark.eventlog;

import io.tidemark.eventlog.Json.Digits;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the facets of one resource from its JSON object; undocumented and mistyped members go to extra. */
final class BodyReader {
  private static final Object UNREADABLE = new Object();
  private static final int LONGEST_TEXT = 8_192;
  private static final String MARK = "…[cut]";

  private final Map<String, @Nullable Object> left;
  private final Map<String, Map<String, Object>> values = new HashMap<>();
  private final Map<String, Set<String>> nulls = new HashMap<>();

  private BodyReader(Map<String, @Nullable Object> json) {
    this.left = copy(json);
  }

  /**
   * Returns the facets of an object.
   *
   * @param aside names of members that are part of the identity or are read elsewhere
   */
  static Map<String, ObservedFacet> read(String resource, Map<String, @Nullable Object> json, Set<String> aside) {
    BodyReader reader = new BodyReader(json);
    FacetTable.of(resource).stream().filter(Attribute::inBody).forEach(attribute -> reader.read(attribute, json));
    aside.forEach(path -> remove(reader.left, List.of(path.split("\\."))));
    return reader.observed();
  }

  private Map<String, ObservedFacet> observed() {
    var facets = new TreeMap<String, ObservedFacet>();
    var names = new HashSet<>(values.keySet());
    names.addAll(nulls.keySet());
    names.forEach(name -> facets.put(name,
        new ObservedFacet(values.getOrDefault(name, Map.of()), nulls.getOrDefault(name, Set.of()))));
    if (!left.isEmpty()) {
      facets.put("extra", new ObservedFacet(Map.of(ObservedFacet.EXTRA, left), Set.of()));
    }
    return facets;
  }

  private void read(Attribute attribute, Map<String, @Nullable Object> json) {
    for (List<String> way : attribute.path()) {
      Map<?, ?> holder = json;
      for (int depth = 0; depth < way.size() && holder != null; depth++) {
        String name = way.get(depth);
        if (!holder.containsKey(name)) {
          removeEmpty(way.subList(0, depth), holder);
          break;
        }
        Object value = holder.get(name);
        boolean last = depth == way.size() - 1;
        if (last || !(value instanceof Map)) {
          take(attribute, way.subList(0, depth + 1), value, last);
          return;
        }
        holder = (Map<?, ?>) value;
      }
    }
  }

  /** Removes an empty object whose members are documented, because it says nothing. */
  private void removeEmpty(List<String> way, Map<?, ?> holder) {
    if (holder.isEmpty() && !way.isEmpty()) {
      remove(left, way);
    }
  }

  /** Reads a value, or a mistyped value in place of an object. */
  private void take(Attribute attribute, List<String> way, @Nullable Object value, boolean last) {
    Object read = value == null ? null : last ? typed(attribute, value) : UNREADABLE;
    if (read == null || read == UNREADABLE) {
      nulls.computeIfAbsent(attribute.facet(), any -> new HashSet<>()).add(attribute.name());
    } else {
      values.computeIfAbsent(attribute.facet(), any -> new TreeMap<>()).put(attribute.name(), read);
    }
    if (read == null) {
      remove(left, way);
    } else if (read != UNREADABLE) {
      settle(way, read);
    }
  }

  private static Object typed(Attribute attribute, Object value) {
    return switch (attribute.type()) {
      case TEXT -> text(value);
      case DOUBLE -> number(value);
      case LONG -> whole(value);
      case BOOLEAN -> value instanceof Boolean ? value : UNREADABLE;
      case JSON -> value instanceof String ? value : compact(value);
      case DOUBLES -> map(value, true);
      case TEXTS -> map(value, false);
    };
  }

  private static Object text(Object value) {
    return value instanceof String text ? cut(text) : value instanceof Digits digits ? digits.text() : UNREADABLE;
  }

  /** Cuts a text that is too long and appends a mark, without splitting a surrogate pair. */
  private static String cut(String text) {
    if (text.length() <= LONGEST_TEXT) {
      return text;
    }
    int end = LONGEST_TEXT - MARK.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + MARK;
  }

  private static Object number(Object value) {
    BigDecimal number = decimal(value);
    return number == null || Double.isInfinite(number.doubleValue()) ? UNREADABLE : number.doubleValue();
  }

  private static Object whole(Object value) {
    BigDecimal number = decimal(value);
    try {
      return number == null ? UNREADABLE : number.longValueExact();
    } catch (ArithmeticException e) {
      return UNREADABLE;
    }
  }

  private static @Nullable BigDecimal decimal(Object value) {
    try {
      return value instanceof Digits || value instanceof String ? new BigDecimal(value.toString()) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Reads a map; a mistyped member becomes null. */
  private static Object map(Object value, boolean numbers) {
    if (!(value instanceof Map<?, ?> members)) {
      return UNREADABLE;
    }
    var map = new TreeMap<String, @Nullable Object>();
    members.forEach((name, each) -> {
      Object read = each == null ? null : numbers ? number(each) : text(each);
      map.put((String) name, read == UNREADABLE ? null : read);
    });
    return map;
  }

  /** Removes what was read from the rest; mistyped members of a map stay there. */
  private void settle(List<String> way, Object read) {
    Object whole = Json.at(left, String.join(".", way));
    if (read instanceof Map<?, ?> taken && whole instanceof Map<?, ?> members) {
      var strange = Json.object(members);
      strange.keySet().removeIf(name -> strange.get(name) == null || taken.get(name) != null);
      if (!strange.isEmpty()) {
        return;
      }
    }
    remove(left, way);
  }

  /** Returns a value as compact JSON. */
  static String compact(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> '"' + text + '"';
      case Map<?, ?> map -> map.entrySet().stream()
          .map(each -> '"' + each.getKey().toString() + "\":" + compact(each.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(BodyReader::compact)
          .collect(Collectors.joining(",", "[", "]"));
      default -> value.toString();
    };
  }

  /** Removes a member, and objects that become empty by it. */
  private static void remove(Map<String, @Nullable Object> from, List<String> way) {
    if (way.size() == 1) {
      from.remove(way.get(0));
    } else if (from.get(way.get(0)) instanceof Map<?, ?> inner) {
      remove(Json.object(inner), way.subList(1, way.size()));
      if (inner.isEmpty()) {
        from.remove(way.get(0));
      }
    }
  }

  private static Map<String, @Nullable Object> copy(Map<String, @Nullable Object> json) {
    var copy = new LinkedHashMap<String, @Nullable Object>();
    json.forEach((name, value) -> copy.put(name, value instanceof Map ? copy(Json.object(value)) : value));
    return copy;
  }
}

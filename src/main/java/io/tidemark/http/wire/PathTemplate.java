package io.tidemark.http.wire;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A path of the document, like {@code /networks/{network}/pools/{address}}. */
record PathTemplate(List<String> segments) {

  static PathTemplate of(String path) {
    return new PathTemplate(split(path));
  }

  /** The values of the path parameters, decoded; null where the path is another one. */
  @Nullable
  Map<String, String> match(String path) {
    var given = split(path);
    if (given.size() != segments.size()) {
      return null;
    }
    var values = new LinkedHashMap<String, String>();
    for (int i = 0; i < given.size(); i++) {
      if (isParameter(segments.get(i)) && !given.get(i).isEmpty()) {
        values.put(nameOf(segments.get(i)), PercentEncoding.decode(given.get(i), false));
      } else if (!segments.get(i).equals(given.get(i))) {
        return null;
      }
    }
    return values;
  }

  /** The path with these values in it, encoded. */
  String expand(Map<String, String> values) {
    return segments.stream()
        .map(segment -> isParameter(segment) ? PercentEncoding.encodeSegment(value(values, nameOf(segment))) : segment)
        .collect(Collectors.joining("/"));
  }

  private static String value(Map<String, String> values, String name) {
    var value = values.getOrDefault(name, "");
    if (value.isEmpty()) {
      throw InvalidParameterException.missing(name);
    }
    return value;
  }

  private static List<String> split(String path) {
    return List.of(path.split("/", -1));
  }

  private static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }

  private static String nameOf(String segment) {
    return segment.substring(1, segment.length() - 1);
  }
}

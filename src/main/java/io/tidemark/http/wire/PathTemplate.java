package io.tidemark.http.wire;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A path of the document, such as {@code /networks/{network}/pools/{address}}. */
record PathTemplate(List<String> segments) {

  static PathTemplate of(String path) {
    return new PathTemplate(split(path));
  }

  /** The decoded values of the path parameters; null where the path does not match. */
  @Nullable
  Map<String, String> match(String path) {
    var begin = 0;
    var values = new LinkedHashMap<String, String>();
    for (int i = 0; i < segments.size(); i++) {
      var slash = path.indexOf('/', begin);
      var isLast = i == segments.size() - 1;
      if (begin > path.length() || slash < 0 != isLast) {
        return null;
      }
      var end = isLast ? path.length() : slash;
      var segment = segments.get(i);
      if (isParameter(segment) && end > begin) {
        values.put(nameOf(segment), PercentEncoding.decode(path.substring(begin, end), false));
      } else if (segment.length() != end - begin || !path.startsWith(segment, begin)) {
        return null;
      }
      begin = end + 1;
    }
    return values;
  }

  /** The path with encoded values. */
  String expand(Map<String, String> values) {
    return segments.stream()
        .map(segment -> isParameter(segment) ? PercentEncoding.encodeSegment(value(values, nameOf(segment))) : segment)
        .collect(Collectors.joining("/"));
  }

  /** The names of its parameters. */
  List<String> names() {
    return segments.stream().filter(PathTemplate::isParameter).map(PathTemplate::nameOf).toList();
  }

  @Override
  public String toString() {
    return String.join("/", segments);
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

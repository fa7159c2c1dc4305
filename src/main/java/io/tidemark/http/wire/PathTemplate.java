package io.tidemark.http.wire;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path in the interface document, such as {@code /networks/{network}/pools/{address}}.
 *
 * @param pattern pattern of encoded paths, with a group for each parameter
 * @param names names of the parameters, in the order of the path
 */
public record PathTemplate(String text, Pattern pattern, List<String> names) {
  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  static PathTemplate of(String text) {
    var names = PARAMETER.matcher(text).results().map(each -> each.group(1)).toList();
    return new PathTemplate(text, Pattern.compile(PARAMETER.matcher(text).replaceAll("([^/]+)")), names);
  }

  /** Returns the decoded values of the path parameters, or null if the path does not match. */
  @Nullable
  Map<String, String> match(String path) {
    var matcher = pattern.matcher(path);
    if (!matcher.matches()) {
      return null;
    }
    var values = new LinkedHashMap<String, String>();
    names.forEach(name -> values.put(name, PercentEncoding.decode(matcher.group(values.size() + 1), false)));
    return values;
  }

  /** Returns the path with the encoded values in place of the parameters. */
  String expand(Map<String, String> values) {
    return PARAMETER.matcher(text).replaceAll(
        each -> Matcher.quoteReplacement(PercentEncoding.encodeSegment(value(values, each.group(1)))));
  }

  private static String value(Map<String, String> values, String name) {
    var value = values.getOrDefault(name, "");
    if (value.isEmpty()) {
      throw InvalidParameterException.missing(name);
    }
    return value;
  }
}

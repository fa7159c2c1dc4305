package io.tidemark.http.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters in the path and in the query string of a request, as text.
 *
 * @param known names of the parameters in the query string that were looked up, whether they are there or not
 */
record RequestParameters(Map<String, String> path, SortedMap<String, String> parameters, SortedSet<String> known) {

  RequestParameters() {
    this(new HashMap<>());
  }

  private RequestParameters(Map<String, String> path) {
    this(path, new TreeMap<>(), new TreeSet<>());
  }

  /** Parses a query string. If a name occurs more than once, the last value is used. */
  static RequestParameters of(Map<String, String> path, String rawQuery) {
    var request = new RequestParameters(path);
    for (var pair : rawQuery.split("&", 0)) {
      if (pair.isEmpty()) {
        continue;
      }
      int equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      var value = equals < 0 ? "" : pair.substring(equals + 1);
      request.parameters.put(PercentEncoding.decode(name, true), PercentEncoding.decode(value, true));
    }
    return request;
  }

  String path(String name) {
    var value = path.get(name);
    if (value == null) {
      throw InvalidParameterException.missing(name);
    }
    return value;
  }

  RequestParameters path(String name, String value) {
    path.put(name, value);
    return this;
  }

  /** Returns the value of a parameter that is required or has a default. */
  <T> T get(QueryParameter<T> parameter) {
    var value = optional(parameter);
    if (value == null) {
      throw InvalidParameterException.missing(parameter.name());
    }
    return value;
  }

  /** Returns the value of a parameter of free text, or null if it is missing or empty. */
  @Nullable
  String optionalText(QueryParameter<String> parameter) {
    var text = optional(parameter);
    return text == null || text.isEmpty() ? null : text;
  }

  /** Returns the value of a parameter, or null if it is missing and has no default. */
  <T> @Nullable T optional(QueryParameter<T> parameter) {
    known.addAll(parameter.names());
    for (var name : parameter.names()) {
      var text = parameters.get(name);
      if (text != null) {
        return parameter.read().apply(text);
      }
    }
    return parameter.defaultValue();
  }

  /** @throws InvalidParameterException if there is a parameter that was not looked up */
  void requireOnlyKnown() {
    parameters.keySet().stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
      throw InvalidParameterException.unknown(name, known);
    });
  }

  /** Sets a parameter, unless the value is null or the parameter's default. */
  <T> RequestParameters put(QueryParameter<T> parameter, @Nullable T value) {
    if (value != null && !value.equals(parameter.defaultValue())) {
      parameters.put(parameter.name(), parameter.write().apply(value));
    }
    return this;
  }

  /** Returns the query string with its question mark, or an empty text if there are no parameters. */
  String queryString() {
    return parameters.entrySet().stream()
        .map(entry -> PercentEncoding.encodeQuery(entry.getKey()) + "=" + PercentEncoding.encodeQuery(entry.getValue()))
        .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
  }
}

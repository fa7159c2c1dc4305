package io.tidemark.http.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request as text: those in its path, and those in its query string.
 *
 * @param uses collects which parameters are read, all of which have a sample value then; null in a request
 */
record RequestParameters(
    Map<String, String> path, SortedMap<String, String> parameters, @Nullable List<ParameterUse> uses) {

  /** A parameter of an operation. */
  record ParameterUse(QueryParameter<?> parameter, boolean isRequired) {}

  RequestParameters() {
    this(new HashMap<>(), new TreeMap<>(), null);
  }

  /** A request with a value for each parameter, to find out which there are. */
  static RequestParameters recording(List<String> path, List<ParameterUse> uses) {
    return new RequestParameters(
        path.stream().collect(Collectors.toMap(name -> name, name -> name)), new TreeMap<>(), uses);
  }

  /** @param rawQuery of a name that occurs twice, the last value counts */
  static RequestParameters of(Map<String, String> path, String rawQuery) {
    var request = new RequestParameters(path, new TreeMap<>(), null);
    for (var pair : rawQuery.split("&", 0)) {
      int equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      var value = equals < 0 ? "" : pair.substring(equals + 1);
      request.parameters.put(PercentEncoding.decode(name, true), PercentEncoding.decode(value, true));
    }
    return request;
  }

  /** The value of a parameter in the path. */
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

  /** The value of a parameter that the document requires or has a default for. */
  <T> T get(QueryParameter<T> parameter) {
    var value = value(parameter, parameter.defaultValue() == null);
    if (value == null) {
      throw InvalidParameterException.missing(parameter.name());
    }
    return value;
  }

  /** The value of a parameter; null where it is missing and has no default. */
  <T> @Nullable T optional(QueryParameter<T> parameter) {
    return value(parameter, false);
  }

  private <T> @Nullable T value(QueryParameter<T> parameter, boolean isRequired) {
    if (uses != null) {
      uses.add(new ParameterUse(parameter, isRequired));
      return parameter.sample();
    }
    for (var name : parameter.names()) {
      var text = parameters.get(name);
      if (text != null) {
        return parameter.read().apply(text);
      }
    }
    return parameter.defaultValue();
  }

  /** Sets a parameter, unless the value is its default. */
  <T> RequestParameters put(QueryParameter<T> parameter, @Nullable T value) {
    if (value != null && !value.equals(parameter.defaultValue())) {
      parameters.put(parameter.name(), parameter.write().apply(value));
    }
    return this;
  }

  /** With a question mark in front; empty where there are no parameters. */
  String queryString() {
    return parameters.entrySet().stream()
        .map(entry -> PercentEncoding.encodeQuery(entry.getKey()) + "=" + PercentEncoding.encodeQuery(entry.getValue()))
        .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
  }
}

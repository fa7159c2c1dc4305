package io.tidemark.http.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters in the path and in the query string of a request, as text.
 *
 * @param uses collects the parameters that are read, for a request in which each parameter has a sample value; null
 *     for a real request
 */
record RequestParameters(
    Map<String, String> path, SortedMap<String, String> parameters, @Nullable List<EndpointParameter> uses) {

  RequestParameters() {
    this(new HashMap<>(), new TreeMap<>(), null);
  }

  /** Creates a request with a sample value for each parameter, to find out which parameters an operation reads. */
  static RequestParameters recording(List<String> path, List<EndpointParameter> uses) {
    return new RequestParameters(
        path.stream().collect(Collectors.toMap(name -> name, name -> name)), new TreeMap<>(), uses);
  }

  /** Parses a query string. If a name occurs more than once, the last value is used. */
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

  /** Returns the value of a parameter in the path. */
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
    var value = value(parameter, parameter.defaultValue() == null);
    if (value == null) {
      throw InvalidParameterException.missing(parameter.name());
    }
    return value;
  }

  /** Returns the value of a parameter, or null if it is missing and has no default. */
  <T> @Nullable T optional(QueryParameter<T> parameter) {
    return value(parameter, false);
  }

  private <T> @Nullable T value(QueryParameter<T> parameter, boolean isRequired) {
    if (uses != null) {
      uses.add(EndpointParameter.of(parameter, isRequired));
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

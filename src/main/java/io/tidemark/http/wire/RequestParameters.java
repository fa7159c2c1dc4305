package io.tidemark.http.wire;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A question as text: the values in its path, and its parameters without those that have their default value. */
record RequestParameters(Map<String, String> path, SortedMap<String, String> parameters) {

  RequestParameters() {
    this(new HashMap<>(), new TreeMap<>());
  }

  /** A question from a path's values and a raw query; of a name that comes twice, the last counts. */
  static RequestParameters of(Map<String, String> path, String rawQuery) {
    var question = new RequestParameters(path, new TreeMap<>());
    for (var pair : rawQuery.split("&")) {
      int equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      var value = equals < 0 ? "" : pair.substring(equals + 1);
      question.parameters.put(PercentEncoding.decode(name, true), PercentEncoding.decode(value, true));
    }
    return question;
  }

  String pathValue(String name) {
    var value = path.get(name);
    if (value == null) {
      throw InvalidParameterException.missing(name);
    }
    return value;
  }

  RequestParameters pathValue(String name, String value) {
    path.put(name, value);
    return this;
  }

  <T> T get(QueryParameter<T> parameter) {
    var value = find(parameter);
    if (value == null) {
      throw InvalidParameterException.missing(parameter.name());
    }
    return value;
  }

  /** Null where it is left out and has no default. */
  <T> @Nullable T find(QueryParameter<T> parameter) {
    for (var name : parameter.names()) {
      var text = parameters.get(name);
      if (text != null) {
        return parameter.read().apply(text);
      }
    }
    return parameter.defaultValue();
  }

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

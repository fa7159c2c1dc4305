package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Compares what was sent with what was written again: strings exactly, numbers numerically, absent and null apart. A
 * string where the document says number may come back as that number, and a number where it says string as its digits;
 * the wrappings that only some answers have (tickers in tickers, one pool in an array) need not come back.
 */
final class JsonComparison {
  private final List<String> differences = new ArrayList<>();

  private JsonComparison() {}

  static List<String> differences(JsonNode sent, JsonNode again) {
    var comparison = new JsonComparison();
    comparison.compare("", sent, again);
    return comparison.differences;
  }

  private void compare(String path, JsonNode sent, JsonNode again) {
    if (sent.isObject() && again.isObject()) {
      members(path, sent, again);
    } else if (path.equals("/included")) {
      members(path, byId(sent), byId(again));
    } else if (path.equals("/tickers") && sent.isObject()) {
      compare(path, sent.path("tickers"), again);
    } else if (path.equals("/data") && sent.size() == 1 && again.isObject()) {
      compare(path, sent.get(0), again);
    } else if (sent.isArray() && again.isArray()) {
      elements(path, sent, again);
    } else if (!same(sent, again)) {
      differences.add(path + ": " + sent + " became " + again);
    }
  }

  private void members(String path, JsonNode sent, JsonNode again) {
    members(path, sent.propertyStream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        again.propertyStream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private void members(String path, Map<String, JsonNode> sent, Map<String, JsonNode> again) {
    sent.forEach((name, value) -> {
      if (again.containsKey(name)) {
        compare(path + "/" + name, value, again.get(name));
      } else {
        differences.add(path + "/" + name + " is missing: " + value);
      }
    });
    again.keySet().stream().filter(name -> !sent.containsKey(name))
        .forEach(name -> differences.add(path + "/" + name + " is new: " + again.get(name)));
  }

  private void elements(String path, JsonNode sent, JsonNode again) {
    if (sent.size() != again.size()) {
      differences.add(path + ": " + sent.size() + " elements became " + again.size());
    }
    for (int i = 0; i < Math.min(sent.size(), again.size()); i++) {
      compare(path + "/" + i, sent.get(i), again.get(i));
    }
  }

  private static Map<String, JsonNode> byId(JsonNode resources) {
    var byId = new TreeMap<String, JsonNode>();
    resources.forEach(each -> byId.put(each.path("type").asText() + "/" + each.path("id").asText(), each));
    return byId;
  }

  private static boolean same(JsonNode sent, JsonNode again) {
    if (sent.isNumber() || again.isNumber()) {
      return Double.parseDouble(sent.asText()) == Double.parseDouble(again.asText());
    }
    return sent.equals(again);
  }
}

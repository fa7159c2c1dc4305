package io.tidemark.law;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The alterations of one attribute in order: other values, other types, null, absent, the first value again. */
record Alterations(AttributeRow row, JsonNode sent, Map<String, Object> first) {

  /** Returns the alterations after a first snapshot that showed the attribute. */
  List<Alteration> whole() {
    Alteration back = new Alteration("back", sent.toString(), first);
    var steps = new ArrayList<Alteration>(alterations());
    steps.addAll(List.of(Alteration.NULL, Alteration.ABSENT, Alteration.NULL, back, Alteration.ABSENT, back,
        Alteration.NULL, back));
    return steps;
  }

  /** Returns the alterations after a first snapshot that did not show the attribute. */
  List<Alteration> fromAbsent() {
    return List.of(Alteration.NULL, Alteration.ABSENT, new Alteration("first value", sent.toString(), first),
        Alteration.ABSENT);
  }

  /** Returns one alteration to another value. */
  Alteration other() {
    return row.isObject() ? Alteration.NULL : alterations().getFirst();
  }

  /** Returns the value that must be known after the first snapshot; null if the value consists of members. */
  Object due() {
    return switch (row.kind()) {
      case "s", "text" -> sent.isNull() ? null : sent.textValue();
      case "n" -> sent.doubleValue();
      case "i" -> sent.longValue();
      case "b" -> sent.booleanValue();
      case "map(n)", "map(s)" -> map((ObjectNode) sent);
      default -> null;
    };
  }

  private List<Alteration> alterations() {
    return switch (row.kind()) {
      case "s" -> List.of(
          step("another string", quoted(sent.textValue() + "7"), sent.textValue() + "7"),
          step("a number", "12.50", "12.50"),
          step("an empty string", "\"\"", ""));
      case "text" -> List.of(
          step("another string", quoted(sent.textValue() + "7"), sent.textValue() + "7"),
          step("a number", "12.50", "12.50"),
          step("an object", "{\"b\":1.0,\"a\":[]}", "{\"a\":[],\"b\":1.0}"),
          step("a boolean", "true", "true"));
      case "n" -> List.of(
          step("a whole number", "7", 7.0),
          step("the same with a fraction", "7.0", 7.0),
          step("a fraction", "7.25", 7.25),
          step("a string", "\"14074.5\"", 14074.5),
          step("an exponent", "2.70016521312815e+15", 2.70016521312815e+15));
      case "i" -> List.of(
          step("another number", "" + (sent.longValue() + 1), sent.longValue() + 1),
          step("the same with a fraction", (sent.longValue() + 1) + ".0", sent.longValue() + 1),
          step("a string", quoted("" + (sent.longValue() + 2)), sent.longValue() + 2));
      case "b" -> List.of(step("the opposite", "" + !sent.booleanValue(), !sent.booleanValue()));
      case "object" -> List.of(new Alteration("nothing in it", "{}", first));
      default -> entries((ObjectNode) sent);
    };
  }

  /** Returns alterations of the entries of a map, which is always replaced as a whole. */
  private List<Alteration> entries(ObjectNode map) {
    String key = map.fieldNames().next();
    String other = row.kind().equals("map(n)") ? "7.5" : "\"Bitcoin\"";
    return Stream.of(
        map.deepCopy().putRawValue(key, raw(other)),
        map.deepCopy().putNull(key),
        map.deepCopy().without(key),
        map.deepCopy().putRawValue("new", raw(other)),
        map.objectNode())
        .map(each -> JsonBody.of(each.toString()).root())
        .map(each -> step("entries", each.toString(), map((ObjectNode) each)))
        .toList();
  }

  private static RawValue raw(String json) {
    return new RawValue(json);
  }

  private static Map<String, Object> map(ObjectNode node) {
    var map = new TreeMap<String, Object>();
    node.forEachEntry((key, value) -> map.put(
        key, value.isNull() ? null : value.isTextual() ? value.textValue() : (Object) value.doubleValue()));
    return map;
  }

  private Alteration step(String what, String json, Object value) {
    return new Alteration(what, json, Map.of(row.inFacet(), value));
  }

  private static String quoted(String text) {
    return new TextNode(text).toString();
  }
}

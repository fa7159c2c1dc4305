package io.tidemark.law;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.tidemark.market.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A JSON body whose parts can be replaced; new values keep their digits exactly. */
record JsonBody(JsonNode root) {
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  static JsonBody of(String text) {
    try {
      return new JsonBody(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the complete body of an operation: all attributes of the table, with all parameters set. */
  static JsonBody complete(Operation operation) {
    try (var in = JsonBody.class.getResourceAsStream("/law/bodies/" + operation.wire() + ".json")) {
      return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean has(String pointer) {
    return !root.at(pointer).isMissingNode();
  }

  /** Returns the JSON text at a pointer. */
  String json(String pointer) {
    return root.at(pointer).toString();
  }

  JsonNode node(String pointer) {
    return root.at(pointer);
  }

  /** Returns a copy with this JSON at a pointer, or with nothing there if it is null. */
  JsonBody with(String pointer, String json) {
    JsonNode copy = root.deepCopy();
    JsonPointer at = JsonPointer.compile(pointer);
    String name = at.last().getMatchingProperty();
    switch (copy.at(at.head())) {
      case ArrayNode array -> array.setRawValue(at.last().getMatchingIndex(), new RawValue(json));
      case ObjectNode object when json == null -> object.remove(name);
      case ObjectNode object -> object.putRawValue(name, new RawValue(json));
      default -> throw new IllegalArgumentException(pointer + " leads nowhere");
    }
    return new JsonBody(copy);
  }

  /** Returns a copy in which one text replaces another everywhere. */
  JsonBody replaced(String old, String now) {
    return of(root.toString().replace(old, now));
  }

  /** Returns a copy in which every list has at most one element. */
  JsonBody small() {
    JsonNode copy = root.deepCopy();
    shorten(copy);
    return new JsonBody(copy);
  }

  private static void shorten(JsonNode node) {
    while (node instanceof ArrayNode array && array.size() > 1) {
      array.remove(array.size() - 1);
    }
    node.forEach(JsonBody::shorten);
  }

  /** Returns the pointers to all objects, outermost first. */
  List<String> objects() {
    var pointers = new ArrayList<String>();
    collect(root, "", pointers);
    return pointers;
  }

  private static void collect(JsonNode node, String pointer, List<String> pointers) {
    if (node.isObject()) {
      pointers.add(pointer);
      node.propertyStream().forEach(member -> collect(member.getValue(), pointer + "/" + member.getKey(), pointers));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      collect(node.get(i), pointer + "/" + i, pointers);
    }
  }

  byte[] bytes() {
    return toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns bytes that differ from {@link #bytes()} only in whitespace. */
  byte[] spaced() {
    return (this + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return root.toString();
  }
}

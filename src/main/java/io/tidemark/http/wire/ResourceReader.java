package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.FieldReference;
import io.tidemark.http.wire.LayoutNode.MapNode;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one resource. A member that has no place in the layout, or a value of another type than its attribute, goes to
 * {@code extra} as it is.
 */
final class ResourceReader {
  private final JsonParser in;
  private final DecodedResource<?> decoded;
  private final Deque<String> path = new ArrayDeque<>();

  ResourceReader(JsonParser in, DecodedResource<?> decoded) {
    this.in = in;
    this.decoded = decoded;
  }

  /** @param other member of the root that is not in the layout */
  void read(CompositeNode root, @Nullable String other, StrictJson.ValueReader<?> otherReader) throws IOException {
    StrictJson.members(in, name -> {
      if (name.equals(other)) {
        otherReader.read(in);
      } else {
        member(name, root.byName().get(name));
      }
    });
  }

  private void member(String name, @Nullable LayoutNode node) throws IOException {
    path.addLast(name);
    switch (node) {
      case null -> addExtra();
      case ConstantNode constant -> in.skipChildren();
      case AttributeNode attribute when in.hasToken(JsonToken.VALUE_NULL) -> addNull(attribute);
      case AttributeNode attribute when isSet(attribute) -> addExtra();
      case AttributeNode attribute -> set(attribute, attribute.field(), attribute.type().read(in));
      case MapNode map when in.hasToken(JsonToken.START_OBJECT) -> map(map);
      case CompositeNode object when in.hasToken(JsonToken.START_OBJECT) -> object(object);
      case MapNode map -> addExtraAndNull(map);
      case CompositeNode object -> addExtraAndNull(object);
    }
    path.removeLast();
  }

  private void object(CompositeNode object) throws IOException {
    if (object.record() != null) {
      object.record().getOrCreate(decoded.resource());
    }
    StrictJson.members(in, name -> member(name, object.byName().get(name)));
  }

  private void map(MapNode map) throws IOException {
    var values = new LinkedHashMap<String, @Nullable Object>();
    StrictJson.members(in, name -> {
      path.addLast(name);
      var value = in.hasToken(JsonToken.VALUE_NULL) ? null : map.type().read(in);
      if (value == null && !in.hasToken(JsonToken.VALUE_NULL)) {
        addExtra();
      }
      values.put(name, value);
      path.removeLast();
    });
    map.field().set(decoded.resource(), values);
  }

  /** Of two names of one attribute, the first counts. */
  private boolean isSet(AttributeNode attribute) {
    return decoded.nulls().contains(attribute.path()) || attribute.field().get(decoded.resource()) != null;
  }

  private void set(AttributeNode attribute, FieldReference field, @Nullable Object value) throws IOException {
    if (value == null) {
      addExtraAndNull(attribute);
    } else {
      field.set(decoded.resource(), value);
    }
  }

  private void addExtraAndNull(LayoutNode node) throws IOException {
    if (!in.hasToken(JsonToken.VALUE_NULL)) {
      addExtra();
    }
    addNull(node);
  }

  private void addNull(LayoutNode node) {
    node.paths().forEach(decoded.nulls()::add);
  }

  private void addExtra() throws IOException {
    decoded.extra().put(List.copyOf(path), JsonValue.read(in));
  }
}

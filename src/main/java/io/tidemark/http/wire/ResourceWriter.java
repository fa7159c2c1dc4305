package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.http.wire.JsonValue.JsonText;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.AttributeType;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.http.wire.LayoutNode.NamedNode;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes what one observation has: null for an explicit null, nothing for an absent attribute. */
record ResourceWriter(Observation<?> observation, FieldNaming naming) {

  JsonObject write(CompositeNode node) {
    var object = JsonObject.ordered();
    for (var member : node.members()) {
      var value = value(member.node());
      if (value != null) {
        object.put(member.name(naming), value);
      }
    }
    return object;
  }

  /** Null where the attribute is absent. */
  private @Nullable JsonValue value(LayoutNode node) {
    return switch (node) {
      case AttributeNode attribute -> {
        var value = attribute.field().get(observation.resource());
        yield value == null ? nullOrAbsent(attribute.path()) : write(attribute.type(), value);
      }
      case MapNode map -> map.field().get(observation.resource()) instanceof Map<?, ?> values
          ? write(values, map.type())
          : nullOrAbsent(map.path());
      case CompositeNode object -> object(object);
      case ConstantNode constant -> JsonValue.string(constant.text());
    };
  }

  private @Nullable JsonValue object(CompositeNode node) {
    boolean present = node.record() != null && node.record().find(observation.resource()) != null;
    if (!present && (node.path() != null || isExplicitNull(node))) {
      return isNull(node) ? JsonText.NULL : null;
    }
    var object = write(node);
    return present || object.size() > constants(node) ? object : null;
  }

  /** An absent facet, or a relationship, with nothing but explicit nulls in it. */
  private boolean isExplicitNull(CompositeNode node) {
    return (node.record() != null || constants(node) > 0) && isNull(node);
  }

  private boolean isNull(LayoutNode node) {
    return switch (node) {
      case AttributeNode attribute -> observation.nulls().contains(attribute.path());
      case MapNode map -> observation.nulls().contains(map.path());
      case ConstantNode constant -> true;
      case CompositeNode object ->
          object.path() == null ? areNull(object.members()) : observation.nulls().contains(object.path());
    };
  }

  private boolean areNull(List<NamedNode> members) {
    for (var member : members) {
      if (!isNull(member.node())) {
        return false;
      }
    }
    return true;
  }

  private static int constants(CompositeNode node) {
    var constants = 0;
    for (var member : node.members()) {
      constants += member.node() instanceof ConstantNode ? 1 : 0;
    }
    return constants;
  }

  private @Nullable JsonValue nullOrAbsent(String path) {
    return observation.nulls().contains(path) ? JsonText.NULL : null;
  }

  private static JsonValue write(Map<?, ?> values, AttributeType type) {
    var object = JsonObject.ordered();
    values.forEach((key, value) -> object.put((String) key, value == null ? JsonText.NULL : write(type, value)));
    return object;
  }

  private static JsonValue write(AttributeType type, Object value) {
    return switch (type) {
      case TEXT -> JsonValue.string((String) value);
      case TEXT_OR_JSON ->
          isOtherJson((String) value) ? new JsonText((String) value) : JsonValue.string((String) value);
      case DOUBLE -> Double.isFinite((Double) value) ? new JsonText(value.toString()) : JsonText.NULL;
      case LONG, BOOLEAN -> new JsonText(value.toString());
    };
  }

  /** Whether a text is JSON other than a string or null. */
  private static boolean isOtherJson(String text) {
    try (JsonParser in = StrictJson.parser(text)) {
      var token = in.nextToken();
      boolean isOther = token != null && token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NULL;
      if (isOther) {
        StrictJson.skip(in);
      }
      return isOther && in.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }
}

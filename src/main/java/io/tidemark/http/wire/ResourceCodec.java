package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.MapNode;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Reads and writes one kind of resource as JSON, by its schema alone: no attribute has code of its own. */
record ResourceCodec<R extends SpecificRecord>(Class<R> type, Schema schema, CompositeNode layout) {

  private static final String EXTRA = "extra";

  /** For a resource whose attributes are members of its object. */
  static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type) {
    return of(type, false);
  }

  /** For a resource object of an on-chain answer: id, attributes, relationships. */
  static <R extends SpecificRecord> ResourceCodec<R> onChain(Class<R> type) {
    return of(type, true);
  }

  private static <R extends SpecificRecord> ResourceCodec<R> of(Class<R> type, boolean onChain) {
    var schema = SpecificData.get().getSchema(type);
    return new ResourceCodec<>(type, schema, ResourceLayout.of(schema, onChain));
  }

  /** The resource at the parser's position, without what other parts of the answer say of it. */
  DecodedResource<R> read(JsonParser in) throws IOException {
    return read(in, null, JsonParser::skipChildren);
  }

  /** @param other a member of the object that belongs to another resource, or to none */
  DecodedResource<R> read(JsonParser in, @Nullable String other, StrictJson.ValueReader<?> otherReader)
      throws IOException {
    var decoded = new DecodedResource<>(type.cast(AvroRecords.blank(schema)));
    new ResourceReader(in, decoded).read(layout, other, otherReader);
    return decoded;
  }

  /** The resource as an object. Undocumented members come last. */
  JsonObject write(Observation<R> observation, FieldNaming naming) {
    return writeAttributes(observation, naming).fill(extra(observation));
  }

  /** The resource as an object, without undocumented members. */
  JsonObject writeAttributes(Observation<R> observation, FieldNaming naming) {
    return new Writer(observation, naming).write(layout);
  }

  /** The undocumented members of a resource. */
  JsonObject extra(Observation<R> observation) {
    var text = observation.resource().get(schema.getField(EXTRA).pos()) instanceof Extra extra ? extra.getJson() : null;
    return text == null ? JsonObject.sorted() : JsonObject.parse(text);
  }

  /** Writes what one observation has: null for an explicit null, nothing for an absent attribute. */
  private record Writer(Observation<?> observation, FieldNaming naming) {

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
          yield value == null ? nullOrAbsent(attribute.path()) : attribute.type().write(value);
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
        return isNull(node) ? JsonValue.NULL : null;
      }
      var object = write(node);
      return present || object.size() > constants(node) ? object : null;
    }

    /** An absent facet, or a relationship, with nothing but explicit nulls in it. */
    private boolean isExplicitNull(CompositeNode node) {
      return (node.record() != null || constants(node) > 0) && isNull(node);
    }

    private boolean isNull(LayoutNode node) {
      return node.paths().allMatch(observation.nulls()::contains);
    }

    private static long constants(CompositeNode node) {
      return node.members().stream().filter(member -> member.node() instanceof ConstantNode).count();
    }

    private static JsonValue write(Map<?, ?> values, AttributeType type) {
      var object = JsonObject.ordered();
      values.forEach((key, value) -> object.put((String) key, value == null ? JsonValue.NULL : type.write(value)));
      return object;
    }

    private @Nullable JsonValue nullOrAbsent(String path) {
      return observation.nulls().contains(path) ? JsonValue.NULL : null;
    }
  }
}

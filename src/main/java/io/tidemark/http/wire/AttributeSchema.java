package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.AttributeType;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.FieldReference;
import io.tidemark.http.wire.LayoutNode.MapNode;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The JSON Schema of a kind of resource in the answers. It is derived from the layout that is also used to read and
 * write the resource. The schema allows additional members in objects, because the service sends undocumented
 * members.
 *
 * @param resource the Avro schema of the resource
 * @param naming the names to use if the interface document and the service differ
 */
public record AttributeSchema(Schema resource, FieldNaming naming) {

  private static final String TYPE = "type";

  /** Schemas of the on-chain resources, whose attributes are in the member {@code attributes} of a resource object. */
  private static final Set<Schema> ON_CHAIN = Set.of(Pool.getClassSchema(), Token.getClassSchema());

  /** Returns the JSON Schema as a new tree. */
  public ObjectNode json() {
    return object(ResourceLayout.of(resource, ON_CHAIN.contains(resource)));
  }

  private ObjectNode object(CompositeNode node) {
    var object = type("object");
    for (var member : node.members()) {
      var name = member.name(naming);
      object.withObjectProperty("properties").set(name, member(member.node()));
      if (isAlwaysThere(member.node())) {
        object.withArray("required").add(name);
      }
    }
    return object;
  }

  private ObjectNode member(LayoutNode node) {
    return switch (node) {
      case AttributeNode attribute -> {
        var field = field(attribute.field());
        yield described(orNull(type(attribute.type()), field.schema().isNullable()), field);
      }
      case MapNode map -> {
        var object = orNull(type("object"), true);
        object.set("additionalProperties", orNull(type(map.type()), true));
        yield described(object, field(map.field()));
      }
      case ConstantNode constant -> JsonNodeFactory.instance.objectNode().put("const", constant.text());
      case CompositeNode inner -> orNull(object(inner), !isAlwaysThere(inner));
    };
  }

  private static ObjectNode type(AttributeType type) {
    return switch (type) {
      case TEXT -> type("string");
      case TEXT_OR_JSON -> JsonNodeFactory.instance.objectNode();
      case DOUBLE -> type("number");
      case LONG -> type("integer");
      case BOOLEAN -> type("boolean");
    };
  }

  private static ObjectNode type(String type) {
    return JsonNodeFactory.instance.objectNode().put(TYPE, type);
  }

  private static ObjectNode orNull(ObjectNode schema, boolean isNullable) {
    JsonNode type = schema.get(TYPE);
    if (isNullable && type != null) {
      schema.putArray(TYPE).add(type).add("null");
    }
    return schema;
  }

  private static ObjectNode described(ObjectNode schema, Schema.Field field) {
    return field.doc() == null ? schema : schema.put("description", field.doc().strip().replaceAll("\\s+", " "));
  }

  /**
   * Returns whether a member is required. Attributes of the identity, objects that contain such attributes, and
   * constants are required.
   */
  private boolean isAlwaysThere(LayoutNode node) {
    return switch (node) {
      case AttributeNode attribute -> !field(attribute.field()).schema().isNullable();
      case MapNode map -> false;
      case ConstantNode constant -> true;
      case CompositeNode inner -> inner.record() == null && inner.members().stream()
          .anyMatch(member -> member.node() instanceof AttributeNode attribute && isAlwaysThere(attribute));
    };
  }

  private Schema.Field field(FieldReference reference) {
    var path = reference.record().fields();
    var schema = path.isEmpty() ? resource : AvroRecords.nonNull(path.getLast().schema());
    return schema.getFields().get(reference.position());
  }
}

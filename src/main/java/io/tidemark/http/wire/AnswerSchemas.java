package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.http.wire.LayoutNode.AttributeNode;
import io.tidemark.http.wire.LayoutNode.AttributeType;
import io.tidemark.http.wire.LayoutNode.CompositeNode;
import io.tidemark.http.wire.LayoutNode.ConstantNode;
import io.tidemark.http.wire.LayoutNode.FieldReference;
import io.tidemark.http.wire.LayoutNode.MapNode;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.avro.Schema;

/**
 * JSON Schemas of the answers, read off the layouts that also read and write them. Objects are open: the service sends
 * members that nobody documented.
 */
public final class AnswerSchemas {

  static final String DATA = "data";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TYPE = "type";
  private static final String NULL = "null";

  private final FieldNaming naming;
  private final String place;
  private final SortedMap<String, ObjectNode> components = new TreeMap<>();

  /**
   * @param naming which names are written where the document and the service differ
   * @param place of the components, for references to them: {@code #/components/schemas/}
   */
  public AnswerSchemas(FieldNaming naming, String place) {
    this.naming = naming;
    this.place = place;
  }

  /** The schema of the answers of an operation. */
  public ObjectNode of(Endpoint<?, ?> endpoint) {
    return endpoint.answer().schema(this);
  }

  /** The schemas that those of the answers refer to, by name; those of which {@link #of} was asked for. */
  public SortedMap<String, ObjectNode> components() {
    return Collections.unmodifiableSortedMap(components);
  }

  /** A reference to the schema of a kind of resource. */
  ObjectNode resource(ResourceCodec<?> codec) {
    return component(codec.schema().getName(), () -> schema(codec));
  }

  /** A reference to a schema, which is made where it is new. */
  ObjectNode component(String name, Supplier<ObjectNode> schema) {
    if (!components.containsKey(name)) {
      components.put(name, schema.get());
    }
    return JSON.objectNode().put("$ref", place + name);
  }

  /** The schema of a kind of resource, for more members. */
  ObjectNode schema(ResourceCodec<?> codec) {
    return object(codec.layout(), codec.schema());
  }

  static ObjectNode list(ObjectNode items) {
    return type("array").set("items", items);
  }

  /** An object with one required member. */
  static ObjectNode objectWith(String member, ObjectNode schema) {
    var object = type("object");
    addMember(object, member, schema);
    object.withArray("required").add(member);
    return object;
  }

  static void addMember(ObjectNode object, String name, JsonNode schema) {
    object.withObjectProperty("properties").set(name, schema);
  }

  static ObjectNode text() {
    return type("string");
  }

  static ObjectNode constant(String text) {
    return JSON.objectNode().put("const", text);
  }

  static ObjectNode type(String type) {
    return JSON.objectNode().put(TYPE, type);
  }

  /** The same schema, and null. */
  static ObjectNode orNull(ObjectNode schema) {
    var type = schema.get(TYPE);
    schema.putArray(TYPE).add(type).add(NULL);
    return schema;
  }

  private ObjectNode object(CompositeNode node, Schema resource) {
    var object = type("object");
    for (var member : node.members()) {
      var name = member.name(naming);
      addMember(object, name, member(member.node(), resource));
      if (isAlwaysThere(member.node(), resource)) {
        object.withArray("required").add(name);
      }
    }
    return object;
  }

  private ObjectNode member(LayoutNode node, Schema resource) {
    return switch (node) {
      case AttributeNode attribute -> attribute(attribute, resource);
      case MapNode map -> {
        var values = type(map.type());
        var object = orNull(type("object"));
        object.set("additionalProperties", values.has(TYPE) ? orNull(values) : values);
        yield described(object, field(map.field(), resource));
      }
      case ConstantNode constant -> constant(constant.text());
      case CompositeNode inner when isAlwaysThere(inner, resource) -> object(inner, resource);
      case CompositeNode inner -> orNull(object(inner, resource));
    };
  }

  private static ObjectNode attribute(AttributeNode attribute, Schema resource) {
    var field = field(attribute.field(), resource);
    var schema = type(attribute.type());
    return described(field.schema().isNullable() && schema.has(TYPE) ? orNull(schema) : schema, field);
  }

  private static ObjectNode described(ObjectNode schema, Schema.Field field) {
    return field.doc() == null ? schema : schema.put("description", field.doc().strip().replaceAll("\\s+", " "));
  }

  private static ObjectNode type(AttributeType type) {
    return switch (type) {
      case TEXT -> type("string");
      case TEXT_OR_JSON -> JSON.objectNode();
      case DOUBLE -> type("number");
      case LONG -> type("integer");
      case BOOLEAN -> type("boolean");
    };
  }

  /** Identities are, and the objects that they are in. */
  private static boolean isAlwaysThere(LayoutNode node, Schema resource) {
    return switch (node) {
      case AttributeNode attribute -> !field(attribute.field(), resource).schema().isNullable();
      case MapNode map -> false;
      case ConstantNode constant -> true;
      case CompositeNode inner -> inner.record() == null && inner.members().stream()
          .anyMatch(member -> member.node() instanceof AttributeNode attribute && isAlwaysThere(attribute, resource));
    };
  }

  /** The field of the record that a reference leads to. */
  private static Schema.Field field(FieldReference reference, Schema resource) {
    var schema = resource;
    for (var step : reference.record().fields()) {
      schema = AvroRecords.nonNull(schema.getFields().get(step.position()).schema());
    }
    return schema.getFields().get(reference.position());
  }
}

package io.tidemark.kafka;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** JSON Schemas of the values that {@link RecordJson#value} writes, derived from Avro schemas. */
public final class RecordSchemas {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TYPE = "type";

  private final String place;
  private final SortedMap<String, ObjectNode> components = new TreeMap<>();

  /** @param place prefix of references to the components, such as {@code #/components/schemas/} */
  public RecordSchemas(String place) {
    this.place = place;
  }

  /**
   * Returns the components by name. A component is the JSON Schema of a record type to which a schema that this object
   * returned before refers.
   */
  public SortedMap<String, ObjectNode> components() {
    return Collections.unmodifiableSortedMap(components);
  }

  /** Returns the JSON Schema of a topic's values. The JSON Schema permits null if the topic is compacted. */
  public ObjectNode valueOf(Topic<?> topic) {
    return topic.cleanup().isCompacted() ? orNull(of(topic.schema())) : of(topic.schema());
  }

  /** Returns the JSON Schema of an Avro schema, or a reference to a component if the Avro schema is a record. */
  private ObjectNode of(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> reference(schema);
      case UNION -> orNull(of(AvroRecords.nonNull(schema)));
      case ARRAY -> type("array").set("items", of(schema.getElementType()));
      case MAP -> type("object").set("additionalProperties", of(schema.getValueType()));
      case STRING -> type("string");
      case BYTES -> type("string").put("contentEncoding", "base64");
      case BOOLEAN -> type("boolean");
      case INT, LONG -> schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
          ? type("integer").put("description", "Milliseconds since 1970.")
          : type("integer");
      case FLOAT, DOUBLE -> type("number");
      default -> throw new IllegalArgumentException("cannot derive a JSON Schema from the Avro type " + schema);
    };
  }

  public ObjectNode fields(Schema schema, List<String> names) {
    var json = type("object");
    names.forEach(name -> property(json, name, field(schema.getField(name))));
    return json;
  }

  private ObjectNode reference(Schema schema) {
    if (!components.containsKey(schema.getName())) {
      var json = type("object");
      components.put(schema.getName(), json);
      if (schema.getDoc() != null) {
        json.put("description", oneLine(schema.getDoc()));
      }
      schema.getFields().forEach(field -> property(json, field.name(), field(field)));
    }
    return JSON.objectNode().put("$ref", place + schema.getName());
  }

  private ObjectNode field(Schema.Field field) {
    var json = of(field.schema());
    return field.doc() == null ? json : json.put("description", oneLine(field.doc()));
  }

  private static String oneLine(String doc) {
    return doc.strip().replaceAll("\\s+", " ");
  }

  private static ObjectNode orNull(ObjectNode schema) {
    var type = schema.get(TYPE);
    if (type == null) {
      var either = JSON.objectNode();
      either.putArray("anyOf").add(schema).add(type("null"));
      return either;
    }
    schema.putArray(TYPE).add(type).add("null");
    return schema;
  }

  private static ObjectNode type(String type) {
    return JSON.objectNode().put(TYPE, type);
  }

  /** Adds a required property. All properties are required, since a field without a value is written as null. */
  private static void property(ObjectNode object, String name, ObjectNode schema) {
    object.withObjectProperty("properties").set(name, schema);
    object.withArray("required").add(name);
  }
}

package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Pool;
import io.tidemark.http.wire.AttributeSchema;
import io.tidemark.kafka.RecordSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * The OpenAPI document of an instance: {@code openapi.yaml}, completed from the Avro schemas and the
 * configuration.
 */
final class OpenApiDocument {

  static final String PATH = "/openapi.json";

  private static final String COMPONENTS = "#/components/";

  /**
   * Marks a schema to be filled with the members that a resource has in the mirror's responses, and names the
   * resource's record.
   */
  private static final String ATTRIBUTES = "x-attributes-of";

  /** Marks a schema whose properties without a value get their types and descriptions from an Avro schema. */
  private static final String FIELDS = "x-fields-of";

  private final ServedApi api;
  private final ObjectNode document = ApiDocumentRoutes.read("openapi.yaml");

  private OpenApiDocument(ServedApi api) {
    this.api = api;
  }

  static ObjectNode of(ServedApi api) {
    return new OpenApiDocument(api).document();
  }

  private ObjectNode document() {
    ((ObjectNode) document.path("info")).put("version", api.version());
    var source = (ObjectNode) document.at("/servers/1/variables/source");
    source.put("default", api.first().name());
    api.sources().forEach(each -> source.withArray("enum").add(each.name()));
    document.at("/components/schemas").forEach(schema -> fillSchema((ObjectNode) schema));
    fillTopics((ObjectNode) document.at("/components/schemas/Topic"));
    if (!api.hasRegistry()) {
      leaveOut("registry");
    }
    if (api.management() == null) {
      leaveOut("management");
    } else {
      pathsOf("management").forEach(path -> path.putArray("servers").addObject()
          .put("url", "http://" + api.management()).put("description", "The port of health and metrics"));
    }
    return document;
  }

  private void fillSchema(ObjectNode schema) {
    var resource = schema.remove(ATTRIBUTES);
    if (resource != null) {
      var written = schema.deepCopy();
      schema.removeAll();
      merge(schema, new AttributeSchema(schemaOf(resource), api.naming()).json());
      merge(schema, written);
    }
    var record = schema.remove(FIELDS);
    if (record != null) {
      var properties = (ObjectNode) schema.required("properties");
      var names =
          properties.propertyStream().filter(each -> each.getValue().isNull()).map(each -> each.getKey()).toList();
      var fields = new RecordSchemas(COMPONENTS + "schemas/").fields(schemaOf(record), names);
      merge(properties, (ObjectNode) fields.required("properties"));
    }
  }

  private static Schema schemaOf(JsonNode name) {
    try {
      return SpecificData.get().getSchema(Class.forName(Pool.class.getPackageName() + "." + name.asText()));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("openapi.yaml names a record that does not exist: " + name, e);
    }
  }

  /** Objects of the same name are merged recursively; other members of the same name are replaced. */
  private static void merge(ObjectNode into, ObjectNode from) {
    from.properties().forEach(member -> {
      if (into.get(member.getKey()) instanceof ObjectNode inner && member.getValue() instanceof ObjectNode added) {
        merge(inner, added);
      } else {
        into.set(member.getKey(), member.getValue());
      }
    });
  }

  private void fillTopics(ObjectNode schema) {
    var names = schema.putArray("enum");
    var topics = api.first().topics();
    topics.all().forEach(topic -> names.add(topics.shortName(topic)));
    topics.all().forEach(topic -> names.add(topic.name()));
  }

  private List<ObjectNode> pathsOf(String tag) {
    return document.required("paths").valueStream()
        .filter(path -> path.findValues("tags").stream().anyMatch(tags -> tags.path(0).asText().equals(tag)))
        .map(ObjectNode.class::cast)
        .toList();
  }

  /** Removes a tag, the paths whose operations have it, and the components that become unused. */
  private void leaveOut(String tag) {
    var left = pathsOf(tag);
    ((ObjectNode) document.required("paths")).removeIf(left::contains);
    ((ArrayNode) document.required("tags")).removeIf(each -> each.path("name").asText().equals(tag));
    while (removeUnused()) {
      // a removed component may have been the only user of another
    }
  }

  private boolean removeUnused() {
    var used = new ArrayList<String>();
    document.findValuesAsText("$ref").forEach(used::add);
    var removed = false;
    for (var kind : Objects.requireNonNull((ObjectNode) document.get("components")).properties()) {
      if (!kind.getKey().equals("securitySchemes")) {
        var names = kind.getValue().propertyStream().map(each -> each.getKey())
            .filter(name -> !used.contains(COMPONENTS + kind.getKey() + "/" + name)).toList();
        ((ObjectNode) kind.getValue()).remove(names);
        removed |= !names.isEmpty();
      }
    }
    return removed;
  }
}

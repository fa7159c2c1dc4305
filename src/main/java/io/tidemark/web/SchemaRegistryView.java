package io.tidemark.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.topic.BuiltInRegistry;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** The built-in registry in the terms of Confluent's REST interface: subjects with versions from 1. */
record SchemaRegistryView(BuiltInRegistry registry) {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A response of the interface. */
  record RegistryResponse(int status, JsonNode body) {

    static RegistryResponse of(JsonNode body) {
      return new RegistryResponse(200, body);
    }

    static RegistryResponse badSchema(Throwable cause) {
      return error(422, 42201, "Invalid schema: " + cause.getMessage());
    }

    private static RegistryResponse unknownSubject(String subject) {
      return error(404, 40401, "Subject '" + subject + "' not found.");
    }

    private static RegistryResponse unknownSchema(String id) {
      return error(404, 40403, "Schema " + id + " not found.");
    }

    private static RegistryResponse error(int status, int code, String message) {
      return new RegistryResponse(status, JSON.objectNode().put("error_code", code).put("message", message));
    }
  }

  /** The JSON Schema of an error. */
  static ObjectNode errorSchema() {
    var schema = JSON.objectNode().put("type", "object");
    var properties = schema.putObject("properties");
    properties.putObject("error_code").put("type", "integer");
    properties.putObject("message").put("type", "string");
    schema.putArray("required").add("error_code").add("message");
    return schema;
  }

  RegistryResponse subjects() {
    var names = JSON.arrayNode();
    registry.subjects().forEach(names::add);
    return RegistryResponse.of(names);
  }

  RegistryResponse schema(String id) {
    var number = id.matches("\\d{1,10}") ? Long.parseLong(id) : Long.MAX_VALUE;
    var schema = number <= Integer.MAX_VALUE ? registry.find((int) number) : null;
    return schema == null
        ? RegistryResponse.unknownSchema(id)
        : RegistryResponse.of(JSON.objectNode().put("schema", schema.toString()));
  }

  RegistryResponse versions(String subject) {
    var count = registry.versions(subject).size();
    var numbers = JSON.arrayNode();
    IntStream.rangeClosed(1, count).forEach(numbers::add);
    return count == 0 ? RegistryResponse.unknownSubject(subject) : RegistryResponse.of(numbers);
  }

  RegistryResponse version(String subject, String version) {
    var count = registry.versions(subject).size();
    if (count == 0) {
      return RegistryResponse.unknownSubject(subject);
    }
    if (!version.matches("latest|-1|[1-9]\\d{0,8}")) {
      return RegistryResponse.error(422, 42202,
          "The specified version '" + version + "' is not a valid version id: 1 and up, or \"latest\".");
    }
    var number = version.matches("latest|-1") ? count : Integer.parseInt(version);
    return number > count
        ? RegistryResponse.error(404, 40402, "Version " + version + " not found.")
        : RegistryResponse.of(describe(subject, number));
  }

  /** Which version of a subject a schema is. */
  RegistryResponse findVersion(String subject, String request) {
    return withSchema(request, schema -> {
      if (registry.versions(subject).isEmpty()) {
        return RegistryResponse.unknownSubject(subject);
      }
      var number = number(subject, schema);
      return number == 0 ? RegistryResponse.unknownSchema("") : RegistryResponse.of(describe(subject, number));
    });
  }

  /** Accepts a schema that is known. No other schema can be registered. */
  RegistryResponse register(String subject, String request) {
    return withSchema(request, schema -> number(subject, schema) == 0
        ? RegistryResponse.error(422, 42205,
            "Subject " + subject + " is in read-only mode: its schemas are those this version came with.")
        : RegistryResponse.of(JSON.objectNode().put("id", BuiltInRegistry.idOf(schema))));
  }

  private RegistryResponse withSchema(String request, Function<Schema, RegistryResponse> response) {
    try {
      return response.apply(new Schema.Parser().parse(MAPPER.readTree(request).path("schema").asText()));
    } catch (JsonProcessingException | AvroRuntimeException e) {
      return RegistryResponse.badSchema(e);
    }
  }

  /** The version of a schema; 0 where the subject does not have it. */
  private int number(String subject, Schema schema) {
    return 1 + registry.versions(subject).stream().map(BuiltInRegistry::idOf).toList()
        .indexOf(BuiltInRegistry.idOf(schema));
  }

  private ObjectNode describe(String subject, int number) {
    var schema = registry.versions(subject).get(number - 1);
    return JSON.objectNode()
        .put("subject", subject)
        .put("version", number)
        .put("id", BuiltInRegistry.idOf(schema))
        .put("schema", schema.toString());
  }
}

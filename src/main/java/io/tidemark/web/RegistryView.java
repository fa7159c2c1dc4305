package io.tidemark.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.topic.BuiltInRegistry;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** The built-in registry, seen as Confluent's: subjects with versions counted from 1. */
final class RegistryView {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ObjectMapper mapper = new ObjectMapper();
  private final BuiltInRegistry registry;

  RegistryView(BuiltInRegistry registry) {
    this.registry = registry;
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
        ? RegistryResponse.noSchema(id)
        : RegistryResponse.of(JSON.objectNode().put("schema", schema.toString()));
  }

  RegistryResponse versions(String subject) {
    var count = registry.versions(subject).size();
    var numbers = JSON.arrayNode();
    IntStream.rangeClosed(1, count).forEach(numbers::add);
    return count == 0 ? RegistryResponse.noSubject(subject) : RegistryResponse.of(numbers);
  }

  RegistryResponse version(String subject, String version) {
    var versions = registry.versions(subject);
    if (versions.isEmpty()) {
      return RegistryResponse.noSubject(subject);
    }
    if (!version.matches("latest|-1|[1-9]\\d{0,8}")) {
      return RegistryResponse.badVersion(version);
    }
    var number = version.matches("latest|-1") ? versions.size() : Integer.parseInt(version);
    return number > versions.size()
        ? RegistryResponse.noVersion(version)
        : RegistryResponse.of(described(subject, number));
  }

  /** Which version of a subject a schema is. */
  RegistryResponse findVersion(String subject, String question) {
    return withSchema(question, schema -> {
      var number = number(subject, schema);
      if (registry.versions(subject).isEmpty()) {
        return RegistryResponse.noSubject(subject);
      }
      return number == null ? RegistryResponse.noSchema("") : RegistryResponse.of(described(subject, number));
    });
  }

  /** Registering is looking up: what is known is as good as registered, else nothing is. */
  RegistryResponse register(String subject, String question) {
    return withSchema(question, schema -> {
      var number = number(subject, schema);
      return number == null
          ? RegistryResponse.readOnly(subject)
          : RegistryResponse.of(JSON.objectNode().put("id", BuiltInRegistry.idOf(schema)));
    });
  }

  private RegistryResponse withSchema(String question, Function<Schema, RegistryResponse> answer) {
    try {
      return answer.apply(new Schema.Parser().parse(mapper.readTree(question).path("schema").asText()));
    } catch (JsonProcessingException | AvroRuntimeException e) {
      return RegistryResponse.badSchema(e);
    }
  }

  private @Nullable Integer number(String subject, Schema schema) {
    var ids = registry.versions(subject).stream().map(BuiltInRegistry::idOf).toList();
    var index = ids.indexOf(BuiltInRegistry.idOf(schema));
    return index < 0 ? null : index + 1;
  }

  private ObjectNode described(String subject, int number) {
    var schema = registry.versions(subject).get(number - 1);
    return JSON.objectNode()
        .put("subject", subject)
        .put("version", number)
        .put("id", BuiltInRegistry.idOf(schema))
        .put("schema", schema.toString());
  }
}

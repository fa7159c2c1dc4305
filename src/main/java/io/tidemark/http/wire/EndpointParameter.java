package io.tidemark.http.wire;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;

/**
 * A description of a parameter in an operation's query string, for API documents.
 *
 * @param aliases other names that are also read
 * @param isList whether the value is a comma-separated list
 * @param schema JSON Schema of the value, which is an array for a list
 * @param example a valid value, as text
 * @param description description for people, in Markdown
 */
public record EndpointParameter(String name, List<String> aliases, boolean isRequired, boolean isList,
    ObjectNode schema, String example, String description) {

  static EndpointParameter of(QueryParameter<?> parameter, boolean isRequired) {
    var form = parameter.form();
    return new EndpointParameter(parameter.name(), parameter.names().subList(1, parameter.names().size()),
        isRequired, form.isList(), schema(parameter), form.example(), parameter.description());
  }

  private static ObjectNode schema(QueryParameter<?> parameter) {
    var form = parameter.form();
    var value = JsonNodeFactory.instance.objectNode().put("type", form.type());
    if (!form.values().isEmpty()) {
      form.values().forEach(value.putArray("enum")::add);
    }
    if (form.pattern() != null) {
      value.put("pattern", form.pattern());
    }
    if (form.type().equals("integer")) {
      value.put("minimum", 1);
    }
    var schema = value;
    if (form.isList()) {
      schema = JsonNodeFactory.instance.objectNode().put("type", "array");
      schema.set("items", value);
    }
    addDefault(schema, parameter);
    return schema;
  }

  private static <T> void addDefault(ObjectNode schema, QueryParameter<T> parameter) {
    T value = parameter.defaultValue();
    switch (value) {
      case null -> {}
      case Boolean flag -> schema.put("default", flag);
      case Integer number -> schema.put("default", number);
      case Collection<?> values when values.isEmpty() -> {}
      case Collection<?> values ->
          List.of(parameter.write().apply(value).split(",", -1)).forEach(schema.putArray("default")::add);
      default -> schema.put("default", parameter.write().apply(value));
    }
  }
}

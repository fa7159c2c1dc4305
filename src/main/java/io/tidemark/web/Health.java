package io.tidemark.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** The health of the program, part by part. A degraded part works worse than it should, but a restart does not help. */
public record Health(List<HealthPart> parts) {

  public Health {
    parts = List.copyOf(parts);
  }

  /** From best to worst. */
  public enum HealthStatus {
    UP,
    DEGRADED,
    DOWN;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One part of the program.
   *
   * @param name such as {@code source main}
   * @param message what it does or what is wrong, for people
   */
  public record HealthPart(String name, HealthStatus status, String message) {}

  /** The status of the worst part. */
  public HealthStatus status() {
    return parts.stream().map(HealthPart::status).max(HealthStatus::compareTo).orElse(HealthStatus.UP);
  }

  /** As JSON: {@code {"status":"degraded","parts":{"source main":{"status":"degraded","message":"..."}}}}. */
  String json() {
    var answer = JsonNodeFactory.instance.objectNode().put("status", status().wire());
    var all = answer.putObject("parts");
    for (var part : parts) {
      all.putObject(part.name()).put("status", part.status().wire()).put("message", part.message());
    }
    return answer.toString();
  }

  /** The JSON Schema of {@link #json}. */
  static ObjectNode schema() {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    var properties = schema.putObject("properties");
    addStatus(properties);
    var part = properties.putObject("parts").put("type", "object").putObject("additionalProperties");
    part.put("type", "object");
    var ofPart = part.putObject("properties");
    addStatus(ofPart);
    ofPart.putObject("message").put("type", "string");
    part.putArray("required").add("status").add("message");
    schema.putArray("required").add("status").add("parts");
    return schema;
  }

  private static void addStatus(ObjectNode properties) {
    var values = properties.putObject("status").put("type", "string").putArray("enum");
    List.of(HealthStatus.values()).forEach(status -> values.add(status.wire()));
  }
}

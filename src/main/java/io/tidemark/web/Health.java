package io.tidemark.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Locale;

/** How the program fares, part by part. What is degraded works less well than it should, and needs no other program. */
public record Health(List<HealthPart> parts) {

  public Health {
    parts = List.copyOf(parts);
  }

  /** How well a part does; a later one is worse. */
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
   * @param name what it is, such as {@code source main}
   * @param message what it does or what is wrong, for people
   */
  public record HealthPart(String name, HealthStatus status, String message) {}

  /** That of the part that does worst. */
  public HealthStatus status() {
    return parts.stream().map(HealthPart::status).max(HealthStatus::compareTo).orElse(HealthStatus.UP);
  }

  /** As JSON: {@code {"status":"degraded","parts":{"source main":{"status":"degraded","message":"..."}}}}. */
  String json() {
    var answer = JsonNodeFactory.instance.objectNode().put("status", status().wire());
    var all = answer.putObject("parts");
    parts
        .forEach(part -> all.putObject(part.name()).put("status", part.status().wire()).put("message", part.message()));
    return answer.toString();
  }
}

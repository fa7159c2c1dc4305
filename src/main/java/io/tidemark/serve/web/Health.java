package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Locale;

/**
 * The health of the program, part by part. A degraded part works worse than it should, and a restart would not help.
 */
public record Health(List<HealthPart> parts) {

  public Health {
    parts = List.copyOf(parts);
  }

  /** The status of a part, from best to worst. */
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
   * @param name name of the part, such as {@code source main}
   * @param message what the part does or what is wrong, for people
   */
  public record HealthPart(String name, HealthStatus status, String message) {}

  /** Returns the status of the worst part. */
  public HealthStatus status() {
    return parts.stream().map(HealthPart::status).max(HealthStatus::compareTo).orElse(HealthStatus.UP);
  }

  /**
   * Returns the health as JSON: {@code {"status":"degraded","parts":{"source
   * main":{"status":"degraded","message":"..."}}}}.
   */
  String json() {
    var answer = JsonNodeFactory.instance.objectNode().put("status", status().wire());
    var all = answer.putObject("parts");
    for (var part : parts) {
      all.putObject(part.name()).put("status", part.status().wire()).put("message", part.message());
    }
    return answer.toString();
  }
}

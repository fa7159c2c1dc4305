package io.tidemark.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Locale;

/** How the program fares, part by part. What is degraded works less well than it should, and needs no other program. */
public record Health(List<Part> parts) {

  public Health {
    parts = List.copyOf(parts);
  }

  /** How well a part does; a later one is worse. */
  public enum Condition {
    UP,
    DEGRADED,
    DOWN;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One part of the program.
   *
   * @param name what it is, such as {@code source main}
   * @param word what it does or what is wrong, for people
   */
  public record Part(String name, Condition condition, String word) {}

  /** That of the part that does worst. */
  public Condition condition() {
    return parts.stream().map(Part::condition).max(Condition::compareTo).orElse(Condition.UP);
  }

  /** As JSON: {@code {"status":"degraded","parts":{"source main":{"status":"degraded","word":"..."}}}}. */
  String json() {
    var answer = JsonNodeFactory.instance.objectNode().put("status", condition().word());
    var all = answer.putObject("parts");
    parts.forEach(part -> all.putObject(part.name()).put("status", part.condition().word()).put("word", part.word()));
    return answer.toString();
  }
}

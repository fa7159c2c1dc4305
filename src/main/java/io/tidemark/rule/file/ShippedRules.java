package io.tidemark.rule.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The rules that come with the program, in {@code shipped.yaml}, and the JSON Schema of files of rules. */
public final class ShippedRules {

  private static final String NAME = "  - name:";

  private ShippedRules() {}

  /** Returns the names of the shipped rules, in the order of the file. */
  public static List<String> names() {
    return document().text().lines()
        .filter(line -> line.startsWith(NAME))
        .map(line -> line.substring(NAME.length()).strip())
        .toList();
  }

  public static RuleDocument document() {
    return new RuleDocument("shipped rules", text("shipped.yaml"));
  }

  public static String schema() {
    return text("rules.schema.json");
  }

  private static String text(String name) {
    try (var in = Objects.requireNonNull(ShippedRules.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

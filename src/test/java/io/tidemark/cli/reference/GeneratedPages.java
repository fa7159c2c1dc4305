package io.tidemark.cli.reference;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pages of the documentation that are generated from schemas and shipped rules, by their names. */
final class GeneratedPages {
  static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "docs/using");

  private GeneratedPages() {}

  static Map<String, String> all() {
    return Map.of(
        "reference.md", text(new SchemaReference(new Topics("tidemark.", Retention.DEFAULT)).lines()),
        "rules-reference.md", text(RulesReference.page()));
  }

  private static String text(Stream<String> lines) {
    return lines.collect(Collectors.joining("\n", "", "\n"));
  }

  /** Writes all pages; docs/developing/building.md has the command. */
  public static void main(String[] arguments) throws IOException {
    for (var page : all().entrySet()) {
      Files.writeString(FOLDER.resolve(page.getKey()), page.getValue());
    }
  }
}

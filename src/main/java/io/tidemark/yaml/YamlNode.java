package io.tidemark.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A YAML document of which every part knows its place; values are the text as it was written. */
public sealed interface YamlNode {

  FilePosition position();

  /** The keys that stand here, none where nothing does; null where something else stands. */
  default @Nullable Mapping mapping() {
    return switch (this) {
      case Mapping tree -> tree;
      case Scalar(var place, var text) when text == null -> new Mapping(place, Map.of());
      case YamlNode other -> null;
    };
  }

  /** Whether nothing is said here but defaults. */
  default boolean isDefault(List<String> defaults) {
    return switch (this) {
      case Mapping tree -> tree.entries().values().stream().allMatch(member -> member.value().isDefault(defaults));
      case Sequence list -> list.items().isEmpty();
      case Scalar leaf -> leaf.text() == null || defaults.contains(leaf.text());
    };
  }

  record Mapping(FilePosition position, Map<String, Entry> entries) implements YamlNode {}

  /** A key's place, and what stands there. */
  record Entry(FilePosition keyPosition, YamlNode value) {}

  record Sequence(FilePosition position, List<YamlNode> items) implements YamlNode {}

  record Scalar(FilePosition position, @Nullable String text) implements YamlNode {}

  /**
   * Parses one document; an empty one is an empty tree.
   *
   * @throws Misread where it is not YAML, has aliases, or a key twice
   */
  static YamlNode parse(String file, String text) {
    try (var parser = new YAMLFactory().createParser(text)) {
      var reading = new YamlParser(file, parser);
      return parser.nextToken() == null ? new Mapping(FilePosition.whole(file), Map.of()) : reading.value();
    } catch (JsonProcessingException e) {
      var at = e.getLocation();
      var place = at == null ? FilePosition.whole(file) : new FilePosition(file, at.getLineNr(), at.getColumnNr());
      throw new Misread(place, "", "not YAML: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

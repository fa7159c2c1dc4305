package io.tidemark.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A YAML document of which every part knows its place; values are the text as it was written. */
public sealed interface Yaml {

  Place place();

  /** The keys that stand here, none where nothing does; null where something else stands. */
  default @Nullable Tree tree() {
    return switch (this) {
      case Tree tree -> tree;
      case Leaf(var place, var text) when text == null -> new Tree(place, Map.of());
      case Yaml other -> null;
    };
  }

  /** Whether nothing is said here but defaults. */
  default boolean isNothing(List<String> defaults) {
    return switch (this) {
      case Tree tree -> tree.members().values().stream().allMatch(member -> member.value().isNothing(defaults));
      case Items list -> list.items().isEmpty();
      case Leaf leaf -> leaf.text() == null || defaults.contains(leaf.text());
    };
  }

  record Tree(Place place, Map<String, Member> members) implements Yaml {}

  /** A key's place, and what stands there. */
  record Member(Place key, Yaml value) {}

  record Items(Place place, List<Yaml> items) implements Yaml {}

  record Leaf(Place place, @Nullable String text) implements Yaml {}

  /**
   * Parses one document; an empty one is an empty tree.
   *
   * @throws Misread where it is not YAML, has aliases, or a key twice
   */
  static Yaml parse(String file, String text) {
    try (var parser = new YAMLFactory().createParser(text)) {
      var reading = new YamlReading(file, parser);
      return parser.nextToken() == null ? new Tree(Place.whole(file), Map.of()) : reading.value();
    } catch (JsonProcessingException e) {
      var at = e.getLocation();
      var place = at == null ? Place.whole(file) : new Place(file, at.getLineNr(), at.getColumnNr());
      throw new Misread(place, "", "not YAML: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

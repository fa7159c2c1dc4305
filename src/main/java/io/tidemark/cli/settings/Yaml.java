package io.tidemark.cli.settings;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A YAML document of which every part knows its place; values are the text as it was written. */
sealed interface Yaml {

  Place place();

  /** The keys that stand here; none where nothing does. */
  default Tree tree(String path) {
    return switch (this) {
      case Tree tree -> tree;
      case Leaf(var place, var text) when text == null -> new Tree(place, Map.of());
      case Yaml other -> throw new WrongSettings(other.place(), path, "keys are due here: { key: value, ... }");
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

  /** Parses one document; an empty one is an empty tree. */
  static Yaml parse(String file, String text) {
    try (var parser = new YAMLFactory().createParser(text)) {
      var reading = new Reading(file, parser);
      return parser.nextToken() == null ? new Tree(Place.whole(file), Map.of()) : reading.value();
    } catch (JsonProcessingException e) {
      var at = e.getLocation();
      var place = at == null ? Place.whole(file) : new Place(file, at.getLineNr(), at.getColumnNr());
      throw new WrongSettings(place, "", "not YAML: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One pass over a document. */
  record Reading(String file, YAMLParser parser) {

    private Yaml value() throws IOException {
      var place = place();
      if (parser.isCurrentAlias()) {
        throw new WrongSettings(place, "", "aliases (*name) are not supported; write the value out");
      }
      return switch (parser.currentToken()) {
        case START_OBJECT -> tree(place);
        case START_ARRAY -> items(place);
        case VALUE_NULL -> new Leaf(place, null);
        default -> new Leaf(place, parser.getText());
      };
    }

    private Tree tree(Place place) throws IOException {
      var members = new LinkedHashMap<String, Member>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var at = place();
        var key = parser.currentName();
        parser.nextToken();
        if (members.put(key, new Member(at, value())) != null) {
          throw new WrongSettings(at, key, "stands here twice");
        }
      }
      return new Tree(place, members);
    }

    private Items items(Place place) throws IOException {
      var items = new ArrayList<Yaml>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(value());
      }
      return new Items(place, items);
    }

    private Place place() {
      var at = ((JsonParser) parser).currentTokenLocation();
      return new Place(file, at.getLineNr(), at.getColumnNr());
    }
  }
}

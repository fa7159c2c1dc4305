package io.tidemark.yaml;

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

/** A node of a YAML document that knows its position; a scalar is the text as it was written. */
public sealed interface YamlNode {

  FilePosition position();

  /** This node as a mapping, an empty one where nothing is written; null for a sequence or a text. */
  default @Nullable MappingNode mapping() {
    return switch (this) {
      case MappingNode mapping -> mapping;
      case ScalarNode(var position, var text) when text == null -> new MappingNode(position, Map.of());
      case YamlNode other -> null;
    };
  }

  /** Keys with their values, in the order of the file. */
  record MappingNode(FilePosition position, Map<String, MappingEntry> entries) implements YamlNode {}

  /** The position of a key, and its value. */
  record MappingEntry(FilePosition keyPosition, YamlNode value) {}

  /** A list. */
  record SequenceNode(FilePosition position, List<YamlNode> items) implements YamlNode {}

  /** A single value; its text is null where nothing is written. */
  record ScalarNode(FilePosition position, @Nullable String text) implements YamlNode {}

  /**
   * Parses one document; an empty one is an empty mapping.
   *
   * @throws YamlException if it is not YAML, has aliases, or has a key twice
   */
  static YamlNode parse(String file, String text) {
    try (var parser = new YAMLFactory().createParser(text)) {
      var document = new DocumentParser(file, parser);
      return parser.nextToken() == null ? new MappingNode(FilePosition.whole(file), Map.of()) : document.node();
    } catch (JsonProcessingException e) {
      var tab = tab(file, text);
      if (tab != null) {
        throw new YamlException(tab, "", "a tab; YAML is indented with spaces only");
      }
      throw YamlSyntax.explain(file, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first tab before the text of a line; null where there is none. */
  private static @Nullable FilePosition tab(String file, String text) {
    var lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      var indent = lines.get(i).length() - lines.get(i).stripLeading().length();
      var tab = lines.get(i).indexOf('\t');
      if (tab >= 0 && tab < indent) {
        return new FilePosition(file, i + 1, tab + 1);
      }
    }
    return null;
  }

  /** Builds the nodes of one document from its tokens. */
  record DocumentParser(String file, YAMLParser parser) {

    private YamlNode node() throws IOException {
      var position = position();
      if (parser.isCurrentAlias()) {
        throw new YamlException(position, "", "aliases (*name) are not supported; write the value out");
      }
      return switch (parser.currentToken()) {
        case START_OBJECT -> mapping(position);
        case START_ARRAY -> sequence(position);
        case VALUE_NULL -> new ScalarNode(position, null);
        default -> new ScalarNode(position, parser.getText());
      };
    }

    private MappingNode mapping(FilePosition position) throws IOException {
      var entries = new LinkedHashMap<String, MappingEntry>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        var keyPosition = position();
        var key = parser.currentName();
        parser.nextToken();
        if (entries.put(key, new MappingEntry(keyPosition, node())) != null) {
          throw new YamlException(keyPosition, key, "this key is written twice");
        }
      }
      return new MappingNode(position, entries);
    }

    private SequenceNode sequence(FilePosition position) throws IOException {
      var items = new ArrayList<YamlNode>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node());
      }
      return new SequenceNode(position, items);
    }

    private FilePosition position() {
      var at = ((JsonParser) parser).currentTokenLocation();
      return new FilePosition(file, at.getLineNr(), at.getColumnNr());
    }
  }
}

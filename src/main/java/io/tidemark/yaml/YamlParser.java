package io.tidemark.yaml;

import java.io.StringReader;
import java.util.HashSet;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A parser that converts the text of a file to SnakeYAML nodes, which know their positions in the file. */
record YamlParser(String file) {

  private static final int DEEPEST = 1_000;

  /**
   * Returns the document in a text, or null if the text contains no document.
   *
   * @throws YamlException if the text is not YAML, has a second document or aliases, or contains a key that is not a
   *     scalar or that occurs twice in the same section
   */
  @Nullable
  Node parse(String text) {
    var options = new LoaderOptions();
    options.setNestingDepthLimit(DEEPEST);
    var yaml = new Yaml(options);
    try {
      var documents = 0;
      for (var event : yaml.parse(new StringReader(text))) {
        if (event instanceof AliasEvent) {
          throw new YamlException(FilePosition.of(file, event.getStartMark()), "",
              "aliases (*name) are not supported; write the value out");
        }
        if (event instanceof DocumentStartEvent && ++documents > 1) {
          throw new YamlException(FilePosition.of(file, event.getStartMark()), "",
              "a second document begins here; write one document, or use several files");
        }
      }
      var document = yaml.compose(new StringReader(text));
      if (document != null) {
        check(document);
      }
      return document;
    } catch (YAMLException e) {
      var tab = tab(text);
      throw tab == null
          ? YamlException.ofSyntax(file, e)
          : new YamlException(tab, "", "a tab in the indentation; indent YAML with spaces only");
    }
  }

  /**
   * Returns the value of a scalar as it was written, without quotes, but an unquoted {@code true} or {@code false} in
   * lower case. Returns null if the scalar is null or is empty without quotes, or if the node is not a scalar.
   */
  static @Nullable String text(@Nullable Node node) {
    if (!(node instanceof ScalarNode scalar) || scalar.getTag().equals(Tag.NULL)) {
      return null;
    }
    var text = scalar.getValue();
    return scalar.getTag().equals(Tag.BOOL) && text.matches("True|TRUE|False|FALSE") ? text.toLowerCase(Locale.ROOT)
        : text;
  }

  private void check(Node node) {
    switch (node) {
      case MappingNode mapping -> {
        var keys = new HashSet<String>();
        mapping.getValue().forEach(entry -> {
          var position = FilePosition.of(file, entry.getKeyNode().getStartMark());
          if (!(entry.getKeyNode() instanceof ScalarNode key)) {
            throw new YamlException(position, "", "expected the name of a key here");
          }
          if (!keys.add(key.getValue())) {
            throw new YamlException(position, key.getValue(), "this key is written twice");
          }
          check(entry.getValueNode());
        });
      }
      case SequenceNode sequence -> sequence.getValue().forEach(this::check);
      default -> {}
    }
  }

  /** Returns the position of the first tab in an indentation, or null if no indentation contains a tab. */
  private @Nullable FilePosition tab(String text) {
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
}

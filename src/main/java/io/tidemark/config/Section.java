package io.tidemark.config;

import io.tidemark.yaml.Environment;
import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.Secret;
import io.tidemark.yaml.Spelling;
import io.tidemark.yaml.YamlException;
import io.tidemark.yaml.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of the configuration that has keys. A value may be overruled by an environment variable: {@code TIDEMARK_} and
 * the path in capitals, whatever is no letter or digit as an underscore, such as {@code TIDEMARK_SOURCES_0_BASE_URL}.
 */
final class Section {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

  private final String path;
  private final YamlNode.Mapping tree;
  private final Environment environment;

  Section(String path, YamlNode.Mapping tree, Environment environment) {
    this.path = path;
    this.tree = tree;
    this.environment = environment;
  }

  /** A whole file. */
  static Section of(YamlNode document, Environment environment) {
    return new Section("", tree(document, ""), environment);
  }

  /** Refuses every key but these. */
  Section only(String... keys) {
    var known = List.of(keys);
    tree.entries().forEach((key, member) -> {
      if (!known.contains(key)) {
        throw new YamlException(member.keyPosition(), path, "unknown key '" + key + "'" + instead(key, known));
      }
    });
    return this;
  }

  /** Refuses a key that is documented and of no effect yet, unless it says nothing or the default. */
  void notYet(String key, String... defaults) {
    var member = tree.entries().get(key);
    if (member != null && !member.value().isDefault(List.of(defaults))) {
      throw new YamlException(member.keyPosition(), at(key), "not available yet; leave it out");
    }
  }

  boolean has(String key) {
    return tree.entries().containsKey(key) || override(key) != null;
  }

  /** Whether keys stand under a key, and no single value. */
  boolean isSection(String key) {
    var member = tree.entries().get(key);
    return member != null && member.value() instanceof YamlNode.Mapping && override(key) == null;
  }

  /** Whether a list stands under a key. */
  boolean isList(String key) {
    var member = tree.entries().get(key);
    return member != null && member.value() instanceof YamlNode.Sequence && override(key) == null;
  }

  List<String> keys() {
    return List.copyOf(tree.entries().keySet());
  }

  /** The value of a key; null where it has none. */
  @Nullable
  Value find(String key) {
    var override = override(key);
    if (override != null) {
      return override;
    }
    var member = tree.entries().get(key);
    return member == null ? null : value(member.value(), at(key));
  }

  Value get(String key, String otherwise) {
    var value = find(key);
    return value == null ? new Value(place(key), at(key), otherwise) : value;
  }

  Value required(String key) {
    var value = find(key);
    if (value == null) {
      throw refused(key, "missing");
    }
    return value;
  }

  /** A secret: of an environment variable or a file, never of this file itself. Null where there is none. */
  @Nullable
  Secret secret(String key) {
    return secret(key, text -> VARIABLE.matcher(text).matches());
  }

  /** A secret within other words, such as a password in a line of JAAS. Null where there is none. */
  @Nullable
  Secret secretWithin(String key) {
    return secret(key, text -> VARIABLE.matcher(text).find());
  }

  private @Nullable Secret secret(String key, Predicate<String> isHidden) {
    var member = tree.entries().get(key);
    if (member != null && member.value() instanceof YamlNode.Scalar(var place, var text) && text != null) {
      if (!isHidden.test(text) && override(key) == null) {
        throw new YamlException(
            place, at(key), "a secret does not stand in a configuration; write ${VARIABLE}, or use " + key + "-file");
      }
    }
    var value = find(key);
    if (value != null) {
      return new Secret(value.text());
    }
    var file = find(key + "-file");
    return file == null ? null : new Secret(text(file).strip());
  }

  /** The secrets in the list under a key, each of an environment variable. */
  List<Secret> secrets(String key) {
    for (var item : override(key) == null ? items(key) : List.<YamlNode>of()) {
      if (item instanceof YamlNode.Scalar(var place, var text) && text != null && !VARIABLE.matcher(text).matches()) {
        throw new YamlException(place, at(key), "a secret does not stand in a configuration; write ${VARIABLE}");
      }
    }
    return list(key).stream().map(value -> new Secret(value.text())).toList();
  }

  /** The section under a key; empty where there is none. */
  Section section(String key) {
    var member = tree.entries().get(key);
    var part = member == null ? new YamlNode.Mapping(tree.position(), Map.of()) : tree(member.value(), at(key));
    return new Section(at(key), part, environment);
  }

  /** The sections in the list under a key. */
  List<Section> sections(String key) {
    var sections = new ArrayList<Section>();
    for (var item : items(key)) {
      var name = at(key) + "[" + sections.size() + "]";
      sections.add(new Section(name, tree(item, name), environment));
    }
    return sections;
  }

  /** The sections under a key, by their names. */
  Map<String, Section> named(String key) {
    var parent = section(key);
    var named = new LinkedHashMap<String, Section>();
    parent.keys().forEach(name -> named.put(name, parent.section(name)));
    return named;
  }

  /** The values in the list under a key; from the environment separated by commas. */
  List<Value> list(String key) {
    var override = override(key);
    if (override != null) {
      return Stream.of(override.text().split(","))
          .map(String::strip)
          .filter(text -> !text.isEmpty())
          .map(text -> new Value(override.place(), at(key), text))
          .toList();
    }
    var values = new ArrayList<Value>();
    for (var item : items(key)) {
      var value = value(item, at(key) + "[" + values.size() + "]");
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  /** A file that a value names: as it stands, or beside this configuration. */
  Path file(Value value) {
    var folder = Path.of(tree.position().file()).toAbsolutePath().getParent();
    return folder == null ? Path.of(value.text()) : folder.resolve(value.text());
  }

  /** The text of a file that a value names. */
  String text(Value value) {
    return TextFile.read(file(value), value);
  }

  YamlException refused(String key, String problem) {
    return new YamlException(place(key), at(key), problem);
  }

  YamlException refused(String problem) {
    return new YamlException(tree.position(), path, problem);
  }

  String path() {
    return path;
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  FilePosition place(String key) {
    var member = tree.entries().get(key);
    return member == null ? tree.position() : member.keyPosition();
  }

  private static YamlNode.Mapping tree(YamlNode yaml, String path) {
    var tree = yaml.mapping();
    if (tree == null) {
      throw new YamlException(yaml.position(), path, "keys are due here: { key: value, ... }");
    }
    return tree;
  }

  private List<YamlNode> items(String key) {
    var member = tree.entries().get(key);
    return switch (member == null ? null : member.value()) {
      case null -> List.of();
      case YamlNode.Scalar(var place, var text) when text == null -> List.of();
      case YamlNode.Sequence list -> list.items();
      case YamlNode other -> throw new YamlException(other.position(), at(key), "a list is due here: [ ..., ... ]");
    };
  }

  private @Nullable Value override(String key) {
    var name = "TIDEMARK_" + at(key).toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    var text = environment.get(name);
    return text == null ? null : new Value(FilePosition.whole("environment variable " + name), at(key), text);
  }

  private @Nullable Value value(YamlNode yaml, String path) {
    return switch (yaml) {
      case YamlNode.Scalar(var place, var text) when text == null -> null;
      case YamlNode.Scalar(var place, var text) -> new Value(place, path, expanded(text, place, path), text);
      case YamlNode other -> throw new YamlException(other.position(), path, "a single value is due here");
    };
  }

  private String expanded(String text, FilePosition place, String path) {
    return VARIABLE.matcher(text).replaceAll(match -> {
      var value = environment.get(match.group(1));
      if (value == null) {
        throw new YamlException(place, path, "environment variable " + match.group(1) + " is not set");
      }
      return Matcher.quoteReplacement(value);
    });
  }

  private static String instead(String wrong, List<String> known) {
    var nearest = Spelling.nearest(wrong, known);
    return nearest == null ? "; known are " + String.join(", ", known) : "; did you mean '" + nearest + "'?";
  }
}

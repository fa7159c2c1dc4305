package io.tidemark.yaml;

import io.tidemark.event.NameSuggestion;
import io.tidemark.event.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A part of a YAML file that has keys. It is read strictly: a key that {@link #only} does not list, or an invalid
 * value, causes a {@link YamlException} with the position and path of the problem.
 *
 * <p>If the section has an environment, {@code ${NAME}} in a value is replaced by the environment variable of that
 * name. An environment variable can also override a value. The overriding variable is named {@code TIDEMARK_} and the
 * path of the value in capitals, with one underscore in place of each run of characters other than letters and
 * digits, such as {@code TIDEMARK_SOURCES_0_BASE_URL}. Without an environment, values are used as written and not
 * overridden.
 *
 * <p>A secret in plain text is refused, although a warning would make the first start easier, because configurations
 * are copied, committed and pasted into tickets.
 */
public final class YamlSection {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  /** A password in a line of options, such as JAAS, whose value has no variable. */
  private static final Pattern PLAIN_PASSWORD =
      Pattern.compile("(?i)(password|passphrase|secret)\\s*+=\\s*+[\"']?+(?![^\"';\\s]*\\$\\{)");
  private static final String SECRET_IN_FILE = "a secret must not be written in a configuration; write ${VARIABLE}";

  private final String path;
  private final FilePosition position;
  private final @Nullable Node node;
  private final @Nullable UnaryOperator<@Nullable String> environment;

  /** The nodes of each key and its value, by key, in the order of the file; null until first used. */
  private @Nullable Map<String, NodeTuple> entries;

  /** @param node null for a section that is not in the file */
  private YamlSection(String path, FilePosition position, @Nullable Node node,
      @Nullable UnaryOperator<@Nullable String> environment) {
    this.path = path;
    this.position = position;
    this.node = node;
    this.environment = environment;
  }

  /**
   * Parses a whole file.
   *
   * @param file name of the file in messages; relative paths in the file start from the folder of the file
   */
  public static YamlSection parse(String file, String text, @Nullable UnaryOperator<@Nullable String> environment) {
    var document = new YamlParser(file).parse(text);
    var position = document == null ? FilePosition.whole(file) : FilePosition.of(file, document.getStartMark());
    return new YamlSection("", position, document, environment);
  }

  /** Returns the same section, but with another path in messages. */
  public YamlSection withPath(String other) {
    return new YamlSection(other, position, node, environment);
  }

  /** Throws a {@link YamlException} if the section has a key that is not among the given keys. */
  public YamlSection only(String... keys) {
    unknownKeys(List.of(keys)).stream().findFirst().ifPresent(problem -> {
      throw new YamlException(problem);
    });
    return this;
  }

  /**
   * Returns a problem for each unknown key. The messages suggest only {@code known} keys. The {@code unlisted} keys
   * are accepted too, but not suggested.
   */
  public List<YamlException.Problem> unknownKeys(Collection<String> known, String... unlisted) {
    return entries().entrySet().stream()
        .filter(entry -> !known.contains(entry.getKey()) && !List.of(unlisted).contains(entry.getKey()))
        .map(entry -> new YamlException.Problem(
            position(entry.getValue().getKeyNode()), path,
            "unknown key '" + entry.getKey() + "'" + instead(entry.getKey(), known)))
        .toList();
  }

  private static String instead(String wrong, Collection<String> known) {
    var nearest = NameSuggestion.nearest(wrong, known);
    return nearest == null ? "; known keys are " + String.join(", ", known) : "; did you mean '" + nearest + "'?";
  }

  public boolean has(String key) {
    return entries().containsKey(key) || override(key) != null;
  }

  /** Returns whether a key has further keys below it, instead of a single value. */
  public boolean isSection(String key) {
    return node(key) instanceof MappingNode && override(key) == null;
  }

  public boolean isList(String key) {
    return node(key) instanceof SequenceNode && override(key) == null;
  }

  public List<String> keys() {
    return List.copyOf(entries().keySet());
  }

  /** Returns the value of a key, or null if the key is missing or has no value. */
  public @Nullable YamlValue find(String key) {
    var override = override(key);
    if (override != null) {
      return override;
    }
    var below = node(key);
    return below == null ? null : value(below, at(key));
  }

  public YamlValue get(String key, String otherwise) {
    var value = find(key);
    return value == null ? new YamlValue(position(key), at(key), otherwise) : value;
  }

  /** Returns the text of a key's value, or null if the key is missing or has no value. */
  public @Nullable String text(String key) {
    var value = find(key);
    return value == null ? null : value.text();
  }

  public YamlValue required(String key) {
    var value = find(key);
    if (value == null) {
      throw invalid(key, "missing");
    }
    return value;
  }

  /**
   * Returns the values in the list of a key, without empty items. Returns an empty list if the key is missing. If an
   * environment variable overrides the list, its values are separated by commas.
   */
  public List<YamlValue> list(String key) {
    var override = override(key);
    if (override != null) {
      return Stream.of(override.text().split(","))
          .map(String::strip)
          .filter(text -> !text.isEmpty())
          .map(text -> new YamlValue(override.position(), at(key), text))
          .toList();
    }
    var values = new ArrayList<YamlValue>();
    for (var item : items(key)) {
      var value = value(item, at(key) + "[" + values.size() + "]");
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  /** Returns the values of a key, which has a list or, without brackets, a single value. */
  public List<YamlValue> values(String key) {
    if (!(node(key) instanceof ScalarNode)) {
      return list(key);
    }
    var value = find(key);
    return value == null ? List.of() : List.of(value);
  }

  /**
   * Returns the section below a key. If the key is missing, returns a section without keys, whose values environment
   * variables can still set.
   */
  public YamlSection section(String key) {
    var below = node(key);
    return new YamlSection(at(key), below == null ? position : position(below), below, environment);
  }

  /**
   * Returns the section below a key, which may have only the given keys. Returns null if the file does not have the
   * section and no environment variable sets one of these keys.
   */
  public @Nullable YamlSection optional(String key, String... keys) {
    var below = section(key).only(keys);
    return has(key) || Stream.of(keys).anyMatch(below::has) ? below : null;
  }

  /** Reads the section below a key if the key is present. */
  public void ifPresent(String key, Consumer<YamlSection> read) {
    if (has(key)) {
      read.accept(section(key));
    }
  }

  /** Returns the sections in the list of a key. */
  public List<YamlSection> sections(String key) {
    var sections = new ArrayList<YamlSection>();
    for (var item : items(key)) {
      sections.add(new YamlSection(at(key) + "[" + sections.size() + "]", position(item), item, environment));
    }
    return sections;
  }

  /** Returns the sections below a key, by their names. */
  public Map<String, YamlSection> named(String key) {
    var parent = section(key);
    var named = new LinkedHashMap<String, YamlSection>();
    parent.keys().forEach(name -> named.put(name, parent.section(name)));
    return named;
  }

  /**
   * Returns the secret of a key, from an environment variable or from the file that the key {@code <key>-file} names,
   * without white space around it, such as the line break at the end of a file. Returns null if neither is given.
   */
  public @Nullable Secret secret(String key) {
    return secret(key, text -> VARIABLE.matcher(text).matches());
  }

  /**
   * Like {@link #secret}, but the value may contain other text around the variable, such as a line of JAAS
   * configuration. Each password of such a line must contain a variable.
   */
  public @Nullable Secret secretWithin(String key) {
    return secret(key, text -> VARIABLE.matcher(text).find() && !PLAIN_PASSWORD.matcher(text).find());
  }

  private @Nullable Secret secret(String key, Predicate<String> isVariable) {
    var written = node(key);
    var text = YamlParser.text(written);
    if (override(key) == null && written != null && text != null && !isVariable.test(text)) {
      throw new YamlException(position(written), at(key), SECRET_IN_FILE + ", or use " + key + "-file");
    }
    var value = find(key);
    if (value != null) {
      return new Secret(value.text().strip());
    }
    var file = find(key + "-file");
    return file == null ? null : new Secret(fileText(file).strip());
  }

  /** Returns the secrets in the list of a key. Each secret must come from an environment variable. */
  public List<Secret> secrets(String key) {
    for (var item : override(key) == null ? items(key) : List.<Node>of()) {
      var text = YamlParser.text(item);
      if (text != null && !VARIABLE.matcher(text).matches()) {
        throw new YamlException(position(item), at(key), SECRET_IN_FILE);
      }
    }
    return list(key).stream().map(value -> new Secret(value.text().strip())).toList();
  }

  /** Returns the path of the file that a value names. A relative name starts from the folder of this YAML file. */
  public Path file(YamlValue value) {
    var folder = Path.of(position.file()).toAbsolutePath().getParent();
    return folder == null ? Path.of(value.text()) : folder.resolve(value.text());
  }

  /** Returns the text of the file that a value names. */
  public String fileText(YamlValue value) {
    var file = file(value);
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw value.invalid("cannot read " + file + ": " + e.getClass().getSimpleName());
    }
  }

  /**
   * Returns the lines of the file that a value names, without comments (from # to the end of a line) and blank lines.
   */
  public List<String> fileLines(YamlValue value) {
    return fileText(value)
        .lines()
        .map(line -> line.replaceFirst("#.*", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }

  /**
   * Calls a constructor and returns the result. Converts an {@code IllegalArgumentException} from the constructor to a
   * {@link YamlException} with this section's position.
   */
  public <T> T as(Supplier<T> constructor) {
    return YamlException.locate(constructor, this::invalid);
  }

  /** Like {@link #as(Supplier)}, but with the position of a key. */
  public <T> T as(String key, Supplier<T> constructor) {
    return YamlException.locate(constructor, problem -> invalid(key, problem));
  }

  public YamlException invalid(String key, String problem) {
    return new YamlException(position(key), at(key), problem);
  }

  public YamlException invalid(String problem) {
    return new YamlException(position, path, problem);
  }

  /** Returns the keys that lead to this section, joined by dots, or an empty text for a whole file. */
  public String path() {
    return path;
  }

  /** Returns the position of a key, or of this section if the key is missing. */
  public FilePosition position(String key) {
    var entry = entries().get(key);
    return entry == null ? position : position(entry.getKeyNode());
  }

  private String at(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private FilePosition position(Node written) {
    return FilePosition.of(position.file(), written.getStartMark());
  }

  private Map<String, NodeTuple> entries() {
    if (entries == null) {
      var found = new LinkedHashMap<String, NodeTuple>();
      if (node instanceof MappingNode mapping) {
        mapping.getValue().forEach(each -> found.put(((ScalarNode) each.getKeyNode()).getValue(), each));
      } else if (node instanceof SequenceNode || YamlParser.text(node) != null) {
        throw new YamlException(position, path, "expected keys here: { key: value, ... }");
      }
      entries = found;
    }
    return entries;
  }

  private @Nullable Node node(String key) {
    var entry = entries().get(key);
    return entry == null ? null : entry.getValueNode();
  }

  private List<Node> items(String key) {
    var list = node(key);
    if (list instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    if (list != null && (list instanceof MappingNode || YamlParser.text(list) != null)) {
      throw new YamlException(position(list), at(key), "expected a list here: [ ..., ... ]");
    }
    return List.of();
  }

  private @Nullable YamlValue override(String key) {
    if (environment == null) {
      return null;
    }
    var name = "TIDEMARK_" + at(key).toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
    var text = environment.apply(name);
    return text == null ? null : new YamlValue(FilePosition.whole("environment variable " + name), at(key), text);
  }

  private @Nullable YamlValue value(Node written, String path) {
    if (!(written instanceof ScalarNode)) {
      throw new YamlException(position(written), path, "expected a single value here");
    }
    var text = YamlParser.text(written);
    return text == null ? null : new YamlValue(position(written), path,
        environment == null ? text : expanded(text, position(written), path, environment), text);
  }

  /** Replaces the variables. In the value of a variable directly between double quotes, quotes and backslashes are escaped. */
  private static String expanded(String text, FilePosition position, String path,
      UnaryOperator<@Nullable String> environment) {
    return VARIABLE.matcher(text).replaceAll(match -> {
      var value = environment.apply(match.group(1));
      if (value == null) {
        throw new YamlException(position, path, "environment variable " + match.group(1) + " is not set");
      }
      var isQuoted = text.startsWith("\"", match.start() - 1) && text.startsWith("\"", match.end());
      return Matcher.quoteReplacement(isQuoted ? value.replace("\\", "\\\\").replace("\"", "\\\"") : value);
    });
  }
}

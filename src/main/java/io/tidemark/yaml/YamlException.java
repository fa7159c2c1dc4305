package io.tidemark.yaml;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Thrown when a YAML file cannot be used; the message names the position, the key and what to write instead. */
public final class YamlException extends RuntimeException {

  /** Messages for people. Each key is a fragment of a parser message, which the value replaces. */
  private static final Map<String, String> SENTENCES = Map.of(
      "expected <block end>", "the indentation of this line does not match the lines above; indent all keys of one"
          + " section alike, and all dashes of one list alike",
      "mapping values are not allowed", "an unexpected colon; write a text that contains a colon in quotes,"
          + " and indent a key like the other keys of the same section",
      "could not find expected ':'", "a key without a colon; write 'key: value'",
      "found unexpected end of stream", "the quotes that begin here do not end",
      "expected ',' or ']'", "a comma or the closing bracket ] of a list is missing before this place",
      "expected ',' or '}'", "a comma or the closing brace } is missing before this place",
      "cannot start any token", "no value can begin with this character; write the value in quotes",
      "expected the node content", "a value is missing here");

  private final transient Problem problem;

  /**
   * One problem in a file.
   *
   * @param path the keys that lead to the problem, joined by dots; empty if the problem concerns the whole file or its
   *     syntax
   * @param text description of the problem; never contains the value of a secret
   */
  public record Problem(FilePosition position, String path, String text) {
    @Override
    public String toString() {
      return position + ": " + (path.isEmpty() ? "" : path + ": ") + text;
    }
  }

  public YamlException(FilePosition position, String path, String problem) {
    this(new Problem(position, path, problem));
  }

  YamlException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  /**
   * Calls a constructor and returns the result. Converts an {@code IllegalArgumentException} from the constructor to
   * an exception with a position.
   */
  static <T> T locate(Supplier<T> constructor, Function<String, YamlException> located) {
    try {
      return constructor.get();
    } catch (IllegalArgumentException e) {
      throw located.apply(String.valueOf(e.getMessage()));
    }
  }

  public Problem problem() {
    return problem;
  }

  /**
   * Returns the exception for a text that is not YAML, with the position and a message for people. The parser's own
   * message is replaced if possible, because it says what the parser was doing, not what to write.
   */
  static YamlException ofSyntax(String file, YAMLException failure) {
    if (failure instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      var began = marked.getContextMark();
      var isUnfinished = marked.getProblem().contains("unexpected end of stream")
          || marked.getProblem().contains("could not find expected ':'");
      var mark = isUnfinished && began != null ? began : marked.getProblemMark();
      return new YamlException(FilePosition.of(file, mark), "", sentence(marked.getProblem()));
    }
    return new YamlException(FilePosition.whole(file), "",
        "not YAML: " + String.valueOf(failure.getMessage()).lines().findFirst().orElse(""));
  }

  private static String sentence(String problem) {
    return SENTENCES.entrySet().stream()
        .filter(each -> problem.contains(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("not YAML: " + problem);
  }
}

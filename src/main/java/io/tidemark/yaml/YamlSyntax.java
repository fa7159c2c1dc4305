package io.tidemark.yaml;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Says what is wrong with a text that is no YAML: the parser names what it was doing, not what to write. */
final class YamlSyntax {

  /** Sentences of ours, by a part of the parser's. */
  private static final Map<String, String> SENTENCES = Map.of(
      "expected <block end>", "the indentation of this line does not fit to the lines above: indent the keys of one"
          + " section, and the dashes of one list, alike",
      "mapping values are not allowed", "a colon that is not expected here: if it is part of a text, write the text in"
          + " quotes; if it follows a key, indent the key as the others of its section",
      "could not find expected ':'", "a key without a colon; write 'key: value'",
      "found unexpected end of stream", "the quotes that begin here do not end",
      "expected ',' or ']'", "a comma or the closing bracket ] of a list is missing before this place",
      "expected ',' or '}'", "a comma or the closing brace } is missing before this place",
      "cannot start any token", "no value can begin with this character; write the value in quotes",
      "expected the node content", "a value is missing here");

  private YamlSyntax() {}

  /** The failure of the parser with its position, in a sentence for people. */
  static YamlException explain(String file, JsonProcessingException failure) {
    if (failure.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      var began = marked.getContextMark();
      var isUnfinished = marked.getProblem().contains("unexpected end of stream")
          || marked.getProblem().contains("could not find expected ':'");
      return new YamlException(position(file, isUnfinished && began != null ? began : marked.getProblemMark()), "",
          sentence(marked.getProblem()));
    }
    var at = failure.getLocation();
    return new YamlException(
        at == null ? FilePosition.whole(file) : new FilePosition(file, at.getLineNr(), at.getColumnNr()), "",
        "not YAML: " + failure.getOriginalMessage().lines().findFirst().orElse(""));
  }

  private static FilePosition position(String file, Mark mark) {
    return new FilePosition(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  private static String sentence(String problem) {
    return SENTENCES.entrySet().stream()
        .filter(each -> problem.contains(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("not YAML: " + problem);
  }
}

package io.tidemark.yaml;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is no YAML is refused with its place and what to write. Lines are separated by a semicolon. */
class YamlSyntaxTest {

  @ParameterizedTest
  @CsvSource(delimiter = '~', quoteCharacter = '`', value = {
    "a:;  - b;  c: d ~ file.yaml:3:3: the indentation of this line does not match",
    "a: b;   c: d ~ file.yaml:2:5: an unexpected colon",
    "a: b: c ~ file.yaml:1:5: an unexpected colon",
    "a: b;c;d: e ~ file.yaml:2:1: a key without a colon; write 'key: value'",
    "a: 'b;c: d ~ file.yaml:1:4: the quotes that begin here do not end",
    "a: [b, c;d: e ~ file.yaml:2:2: a comma or the closing bracket ]",
    "a: {b: c;d: e ~ file.yaml:2:2: a comma or the closing brace }",
    "a: @b ~ file.yaml:1:4: no value can begin with this character",
    "a: [ ~ file.yaml:1:5: a value is missing here",
    "---;a: b;---;c: d ~ file.yaml:3:1: a second document begins here; write one document, or use several files"})
  void problem_isASentenceWithItsPlace(String lines, String problem) {
    assertThatThrownBy(() -> YamlSection.parse("file.yaml", lines.replace(';', '\n'), null))
        .isInstanceOf(YamlException.class)
        .hasMessageStartingWith(problem);
  }
}

package io.tidemark.rule.file;

import io.tidemark.yaml.FilePosition;
import java.util.stream.IntStream;

/**
 * A text that is a value of a YAML file. It converts a position in the text to the position in the file, however the
 * value is quoted, folded or indented.
 *
 * <p>Folding and indenting change only whitespace, so the n-th character that is not whitespace is the same in the text
 * and in the file. An escape in a quoted value, such as {@code ''}, shifts the positions after it.
 *
 * @param file the whole text of the file
 * @param start position of the value in the file
 */
record EmbeddedText(String file, FilePosition start, String text) {

  /**
   * Returns the position in the file of a character of the text. The end of the text is the position after its last
   * character that is not whitespace.
   *
   * @param line line in the text, from 1
   * @param column column in the line, from 1
   */
  FilePosition position(int line, int column) {
    var visibleBefore = countVisible(text.substring(0, offset(text, line, column)));
    var isEnd = visibleBefore > 0 && visibleBefore == countVisible(text);
    var at = IntStream.range(firstCharacter(), file.length())
        .filter(index -> !Character.isWhitespace(file.charAt(index)))
        .skip(isEnd ? visibleBefore - 1 : visibleBefore)
        .findFirst().orElse(file.length());
    return positionOf(Math.min(isEnd ? at + 1 : at, file.length()));
  }

  /**
   * Returns the offset in the file at which the text begins: after a quote, on the line after {@code |} or {@code >},
   * or at the start of the value.
   */
  private int firstCharacter() {
    var at = offset(file, start.line(), start.column());
    if (at >= file.length()) {
      return at;
    }
    return switch (file.charAt(at)) {
      case '"', '\'' -> at + 1;
      case '|', '>' -> file.indexOf('\n', at) + 1;
      default -> at;
    };
  }

  private FilePosition positionOf(int offset) {
    var before = file.substring(0, offset);
    var line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new FilePosition(start.file(), line, offset - before.lastIndexOf('\n'));
  }

  private static int countVisible(String text) {
    return (int) text.chars().filter(c -> !Character.isWhitespace(c)).count();
  }

  private static int offset(String text, int line, int column) {
    var start = 0;
    for (var passed = 1; passed < line; passed++) {
      var next = text.indexOf('\n', start);
      start = next < 0 ? text.length() : next + 1;
    }
    return Math.min(text.length(), start + column - 1);
  }
}

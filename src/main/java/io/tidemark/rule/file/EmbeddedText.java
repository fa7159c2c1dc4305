package io.tidemark.rule.file;

import io.tidemark.yaml.FilePosition;

/**
 * A text within a YAML file, however it is quoted or folded there: finds the place in the file of a place in the text.
 *
 * <p>Folding and indenting change nothing but blanks, so the same character that is no blank is counted up in both.
 */
record EmbeddedText(String file, FilePosition start, String text) {

  FilePosition place(int line, int column) {
    var wanted = inked(text.substring(0, offset(text, line, column)));
    var at = beginning();
    for (var seen = 0; at < file.length(); at++) {
      if (!Character.isWhitespace(file.charAt(at)) && seen++ == wanted) {
        break;
      }
    }
    return placeOf(Math.min(at, file.length()));
  }

  /** Where the text's own characters begin: behind the quote, or below the sign of a block. */
  private int beginning() {
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

  private FilePosition placeOf(int offset) {
    var before = file.substring(0, offset);
    var line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new FilePosition(start.file(), line, offset - before.lastIndexOf('\n'));
  }

  private static int inked(String text) {
    return (int) text.chars().filter(c -> !Character.isWhitespace(c)).count();
  }

  /** Lines and columns count from 1. */
  private static int offset(String text, int line, int column) {
    var start = 0;
    for (var passed = 1; passed < line; passed++) {
      var next = text.indexOf('\n', start);
      start = next < 0 ? text.length() : next + 1;
    }
    return Math.min(text.length(), start + column - 1);
  }
}

package io.tidemark.yaml;

import org.yaml.snakeyaml.error.Mark;

/**
 * A position in a file. Line and column are counted from 1; both are 0 if the position is a whole file or an
 * environment variable.
 */
public record FilePosition(String file, int line, int column) {

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }

  static FilePosition of(String file, Mark mark) {
    return new FilePosition(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** Returns a position without line and column, for a whole file or an environment variable. */
  public static FilePosition whole(String name) {
    return new FilePosition(name, 0, 0);
  }
}

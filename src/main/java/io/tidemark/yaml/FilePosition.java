package io.tidemark.yaml;

import org.yaml.snakeyaml.error.Mark;

/** Where something stands in a file; line and column from 1. */
public record FilePosition(String file, int line, int column) {

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }

  static FilePosition of(String file, Mark mark) {
    return new FilePosition(file, mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** For what stands in no file: the file as a whole, or an environment variable. */
  public static FilePosition whole(String name) {
    return new FilePosition(name, 0, 0);
  }
}

package io.tidemark.yaml;

/** Where something stands in a file; line and column from 1. */
public record FilePosition(String file, int line, int column) {

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }

  /** For what stands in no file: the file as a whole, or an environment variable. */
  public static FilePosition whole(String name) {
    return new FilePosition(name, 0, 0);
  }
}

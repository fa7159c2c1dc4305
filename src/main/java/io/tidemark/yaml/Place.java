package io.tidemark.yaml;

/** Where something stands in a file; line and column from 1. */
public record Place(String file, int line, int column) {

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line + ":" + column;
  }

  /** For what stands in no file: the file as a whole, or an environment variable. */
  public static Place whole(String name) {
    return new Place(name, 0, 0);
  }
}

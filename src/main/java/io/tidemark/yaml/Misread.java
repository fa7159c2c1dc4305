package io.tidemark.yaml;

/** A text that is no YAML of the kind that is read here: where, and what is wrong. */
public final class Misread extends RuntimeException {

  private final transient FilePosition position;
  private final String path;
  private final String problem;

  Misread(FilePosition place, String path, String problem) {
    super(place + ": " + (path.isEmpty() ? "" : path + ": ") + problem);
    this.position = place;
    this.path = path;
    this.problem = problem;
  }

  public FilePosition position() {
    return position;
  }

  /** The key it is about; empty where it is about the whole. */
  public String path() {
    return path;
  }

  public String problem() {
    return problem;
  }
}

package io.tidemark.yaml;

import java.util.function.Function;
import java.util.function.Supplier;

/** Thrown when a YAML file cannot be used; the message names the position, the key and what to write instead. */
public final class YamlException extends RuntimeException {

  private final transient Problem problem;

  /**
   * One thing that is wrong in a file.
   *
   * @param path the keys that lead to it, joined by dots; empty where it concerns the whole file
   * @param text what is wrong; never shows the value of a secret
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

  /** What a constructor makes; its {@code IllegalArgumentException} becomes one with a position. */
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
}

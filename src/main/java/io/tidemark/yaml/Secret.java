package io.tidemark.yaml;

/** A value that is never printed. */
public record Secret(String value) {

  @Override
  public String toString() {
    return "***";
  }
}

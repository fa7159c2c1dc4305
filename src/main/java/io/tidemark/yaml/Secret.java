package io.tidemark.yaml;

/** What is never printed. */
public record Secret(String value) {

  @Override
  public String toString() {
    return "***";
  }
}

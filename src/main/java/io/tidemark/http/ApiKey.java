package io.tidemark.http;

/** A key of the service. It is sent in a header and never printed. */
public record ApiKey(String value) {
  public ApiKey {
    if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("a key is one or more visible ASCII characters without spaces");
    }
  }

  @Override
  public String toString() {
    return "***";
  }
}

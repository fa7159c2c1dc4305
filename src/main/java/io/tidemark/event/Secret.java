package io.tidemark.event;

import org.jspecify.annotations.NullMarked;

/** A value that {@code toString} does not reveal. */
@NullMarked
public record Secret(String value) {

  @Override
  public String toString() {
    return "***";
  }
}

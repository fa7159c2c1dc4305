package io.tidemark.event;

import org.jspecify.annotations.NullMarked;

/** A value that is never printed. */
@NullMarked
public record Secret(String value) {

  @Override
  public String toString() {
    return "***";
  }
}

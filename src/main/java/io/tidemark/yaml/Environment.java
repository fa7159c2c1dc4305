package io.tidemark.yaml;

import org.jspecify.annotations.Nullable;

/** The variables a program is started with. */
@FunctionalInterface
public interface Environment {

  /** Value of a variable; null where it is not set. */
  @Nullable
  String get(String name);
}

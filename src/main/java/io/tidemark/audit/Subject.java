package io.tidemark.audit;

import org.jspecify.annotations.Nullable;

/** What there is of one resource: its newest state, its changes folded, and whether the one was held against the other. */
final class Subject {
  @Nullable
  Mark state;
  @Nullable
  Fold fold;
  boolean met;
}

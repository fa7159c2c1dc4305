package io.tidemark.audit;

import org.jspecify.annotations.Nullable;

/** What there is of one resource: its newest state, its changes folded, and whether the one was held against the other. */
final class AuditedResource {
  @Nullable
  NewestState state;
  @Nullable
  FoldedResource fold;
  boolean compared;
}

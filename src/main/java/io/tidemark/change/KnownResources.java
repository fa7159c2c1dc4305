package io.tidemark.change;

import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What is known of other resources, for changes that can be read on their own. */
@FunctionalInterface
interface KnownResources {
  /** The resource as it is known now; null where it is not. */
  @Nullable
  IndexedRecord known(ResourceKind kind, String key);
}

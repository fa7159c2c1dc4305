package io.tidemark.poll;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known of looks made before, in earlier lives too. */
@FunctionalInterface
public interface LastObservations {

  /** When a target was last seen whole, by its name; null where it never was. */
  @Nullable
  Instant lastObservedAt(String target);
}

package io.tidemark.change;

import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * All that one snapshot changes: committed in one transaction or not at all. Updates are in the order of writing; no two
 * are of one resource.
 */
public record ChangeSet(TargetState targetState, List<TargetMembers> members, List<ResourceUpdate> updates,
    List<PoolListing> listings, List<DeadLetter> deadLetters) {

  /** Of a snapshot that changes nothing but its target's state. */
  static ChangeSet of(TargetState targetState) {
    return new ChangeSet(targetState, List.of(), List.of(), List.of(), List.of());
  }

  /**
   * What becomes of one resource.
   *
   * @param resource its kind, the first word of its topics: {@code pool}, {@code coin-day}, ...
   * @param key key of its records
   * @param change null where nothing is published
   * @param state what is known now; null where the resource is evicted
   */
  public record ResourceUpdate(
      String resource, String key, @Nullable SpecificRecord change, @Nullable SpecificRecord state) {}
}

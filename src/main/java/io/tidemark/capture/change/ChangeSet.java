package io.tidemark.capture.change;

import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * All changes of one snapshot, committed in one transaction or not at all.
 *
 * @param members changed pages of the list of the target's members
 * @param updates updates in the order in which they are written, at most one for each resource
 * @param listings changes of the target's ranking, one for each pool that entered, exited or moved
 */
public record ChangeSet(TargetState targetState, List<TargetMembers> members, List<ResourceUpdate> updates,
    List<PoolListing> listings, List<DeadLetter> deadLetters) {

  /** Returns the change set of a snapshot that changes only its target's state. */
  static ChangeSet of(TargetState targetState) {
    return new ChangeSet(targetState, List.of(), List.of(), List.of(), List.of());
  }

  /**
   * The change and the new state of one resource.
   *
   * @param resource name of the resource's kind, which is the first word in the names of its topics: {@code pool},
   *     {@code coin-day}, ...
   * @param key key of the resource's records
   * @param change the change to publish; null if nothing is published
   * @param state the new state; null if the resource is evicted
   */
  public record ResourceUpdate(
      String resource, String key, @Nullable SpecificRecord change, @Nullable SpecificRecord state) {}
}

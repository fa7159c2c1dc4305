package io.tidemark.capture.change;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The newest states of resources and targets, including states that are about to be committed. */
public interface KnownStates {
  /** Returns the state of a resource, such as a {@code PoolState} for {@code pool}, or null if no state is known. */
  @Nullable
  SpecificRecord find(String resource, String key);

  /** Returns the state of a target, or null if no snapshot of the target is known. */
  @Nullable
  TargetState targetState(String name);

  /**
   * Returns the members of a target, page by page in order, or an empty list if none are known. From page 1 on, they
   * end at the first page that was never written.
   */
  List<TargetMembers> members(String target);

  /**
   * Returns the targets whose members include a key, in no particular order. The cost does not depend on the number of
   * other targets.
   */
  Set<String> targetsWithMember(String key);
}

package io.tidemark.change;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.List;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The newest states of resources and targets, committed or about to be. */
public interface KnownStates {
  /** The state of a resource, such as a {@code PoolState} for {@code pool}; null where it is not known. */
  @Nullable
  SpecificRecord find(String resource, String key);

  /** The state of a target; null where no snapshot of it is known. */
  @Nullable
  TargetState targetState(String name);

  /** Members of a target by page, in the order of pages; empty where none are known. */
  List<TargetMembers> members(String target);

  /**
   * Visits the targets whose members have a key, in no particular order, until the visitor returns false. At a cost that
   * does not depend on how many other targets there are.
   */
  void visitTargetsWithMember(String key, Predicate<String> visitor);
}

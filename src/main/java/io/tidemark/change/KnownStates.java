package io.tidemark.change;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What is known: the newest states, as committed or about to be. */
public interface KnownStates {
  /** State of a resource, such as a {@code PoolState} for {@code pool}; null where it is not known. */
  @Nullable
  SpecificRecord find(String resource, String key);

  @Nullable
  TargetState targetState(String name);

  /** Members of a target by page, in the order of pages; empty where none are known. */
  List<TargetMembers> members(String target);
}

package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.source.SourceAssignor.SlotPlan;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotPlanTest {

  @Test
  void nobodyOwnsAnything_allIsAssignedEvenly() {
    var plan = SlotPlan.of(Map.of("a", Set.of(0, 1, 2, 3), "b", Set.of(0, 1, 2, 3)), Map.of());

    assertThat(plan.values()).containsExactlyInAnyOrder("a", "b", "a", "b");
  }

  @Test
  void fairAlready_nothingMoves() {
    var owners = Map.of(0, "b", 1, "b", 2, "a");

    var plan = SlotPlan.of(Map.of("a", Set.of(0, 1, 2), "b", Set.of(0, 1, 2)), owners);

    assertThat(plan).isEqualTo(owners);
  }

  @Test
  void newMember_getsItsShareAndNoMore() {
    var owners = Map.of(0, "a", 1, "a", 2, "a", 3, "a");

    var plan = SlotPlan.of(Map.of("a", Set.of(0, 1, 2, 3), "b", Set.of(0, 1, 2, 3)), owners);

    assertThat(plan.values()).containsExactlyInAnyOrder("a", "b", "a", "b");
  }

  @Test
  void onlySomeCanWorkASlot_itIsTheirs() {
    var plan = SlotPlan.of(Map.of("a", Set.of(0, 1, 2), "b", Set.of(2), "c", Set.of()), Map.of(2, "a"));

    assertThat(plan).isEqualTo(Map.of(0, "a", 1, "a", 2, "b"));
  }

  @Test
  void ownerCannotWorkItAnyMore_anotherGetsIt() {
    assertThat(SlotPlan.of(Map.of("a", Set.of(), "b", Set.of(0)), Map.of(0, "a"))).isEqualTo(Map.of(0, "b"));
  }

  @Test
  void nobodyCanWorkASlot_itIsNobodys() {
    assertThat(SlotPlan.of(Map.of("a", Set.of(1)), Map.of(0, "a"))).isEqualTo(Map.of(1, "a"));
  }
}

package io.tidemark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ValueHashTest {

  @Test
  void valueThatIsEmptyOrZero_isNotNull() {
    assertThat(List.of("", List.of(), Map.of(), 0L, 0.0, false)).allSatisfy(
        value -> assertThat(ValueHash.of(value)).isNotEqualTo(ValueHash.NULL).isNotEqualTo(ValueHash.of(null)));
  }

  @Test
  void orderOfAList_matters_thatOfAMapDoesNot() {
    assertThat(ValueHash.of(List.of("a", "b"))).isNotEqualTo(ValueHash.of(List.of("b", "a")));
    assertThat(ValueHash.of(Map.of("a", 1, "b", 2))).isEqualTo(ValueHash.of(Map.of("b", 2, "a", 1)))
        .isNotEqualTo(ValueHash.of(Map.of("a", 2, "b", 1)));
  }
}

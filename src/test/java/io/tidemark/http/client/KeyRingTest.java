package io.tidemark.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.http.client.KeyRing.WeightedKey;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyRingTest {

  static final ApiKey ONE = new ApiKey("one");
  static final ApiKey TWO = new ApiKey("two");
  static final ApiKey THREE = new ApiKey("three");

  @Test
  void equalKeys_takeTurns() {
    var ring = new KeyRing(List.of(new WeightedKey(ONE, 10_000), new WeightedKey(TWO, 10_000)));

    assertThat(List.of(ring.next(), ring.next(), ring.next(), ring.next())).containsExactly(ONE, TWO, ONE, TWO);
  }

  @Test
  void ofAnySuccessiveRequests_eachKeyHasItsPart() {
    var ring = new KeyRing(List.of(
        new WeightedKey(ONE, 500_000), new WeightedKey(TWO, 100_000), new WeightedKey(THREE, 10_000)));
    var window = new ArrayDeque<ApiKey>();
    var used = new HashMap<ApiKey, Integer>();

    for (int k = 0; k < 10_000; k++) {
      window.add(ring.next());
      used.merge(window.getLast(), 1, Integer::sum);
      if (window.size() > 61) {
        used.merge(window.remove(), -1, Integer::sum);
        assertThat(used.get(TWO)).isBetween(8, 12);
        assertThat(used.getOrDefault(THREE, 0)).isBetween(0, 2);
      }
    }
  }

  @Test
  void noKey_isNoKey_andOneIsAlwaysThatOne() {
    assertThat(KeyRing.of(null).next()).isNull();
    assertThat(KeyRing.of(ONE).next()).isEqualTo(KeyRing.of(ONE).next()).isEqualTo(ONE);
  }

  @Test
  void sameKeyTwice_isRefused_andNoKeyIsPrinted() {
    assertThatThrownBy(() -> new KeyRing(List.of(new WeightedKey(ONE, 1), new WeightedKey(ONE, 1))))
        .hasMessageContaining("the same key twice").hasMessageNotContaining("one");
    assertThat(new KeyRing(List.of(new WeightedKey(TWO, 1))).toString()).doesNotContain("two");
  }
}

package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MatchTest {

  @Test
  void alertWithoutTheLabelAskedFor_isNotWanted() {
    Match match = new Match(Set.of(), "info", Map.of("network", Set.of("eth")));
    Alert bare = priceMoved("1");
    bare.setLabels(Map.of());

    assertThat(match.wants(priceMoved("2"))).isTrue();
    assertThat(match.wants(bare)).isFalse();
  }

  @Test
  void otherRuleOrLessSevere_isNotWanted() {
    assertThat(new Match(Set.of("new-pool"), "info", Map.of()).wants(priceMoved("1"))).isFalse();
    assertThat(new Match(Set.of(), "critical", Map.of()).wants(priceMoved("1"))).isFalse();
    assertThat(new Match(Set.of("price-move"), "warning", Map.of()).wants(priceMoved("1"))).isTrue();
  }
}

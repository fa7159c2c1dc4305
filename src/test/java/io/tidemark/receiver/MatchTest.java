package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.priceMoved;
import static io.tidemark.receiver.Alerts.sight;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatchTest {

  private static Alert silenced(Alert alert) {
    alert.setSilenced("quiet");
    return alert;
  }

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

  @ParameterizedTest
  @ValueSource(strings = {"fired", "firing"})
  void whatIsSilenced_isNotWanted(String status) {
    assertThat(Match.ALL.wants(sight(status))).isTrue();
    assertThat(Match.ALL.wants(silenced(sight(status)))).isFalse();
  }

  @Test
  void endOfWhatMayHaveBeenToldBeforeItsSilence_isWanted() {
    assertThat(Match.ALL.wants(silenced(sight("resolved")))).isTrue();
  }

  @Test
  void whatNeverFired_isNotWanted() {
    Alert passed = sight("resolved");
    passed.setFiredAt(null);

    assertThat(Match.ALL.wants(sight("pending"))).isFalse();
    assertThat(Match.ALL.wants(passed)).isFalse();
  }
}

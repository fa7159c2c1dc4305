package io.tidemark.notify;

import static io.tidemark.notify.Alerts.coverageLost;
import static io.tidemark.notify.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlertMatcherTest {

  private static Alert silenced(Alert alert) {
    alert.setSilenced("quiet");
    return alert;
  }

  @Test
  void alertWithoutTheLabel_isNotMatched() {
    AlertMatcher match = new AlertMatcher(Set.of(), "info", Map.of("network", Set.of("eth")));
    Alert bare = priceMoved("1");
    bare.setLabels(Map.of());

    assertThat(match.matches(priceMoved("2"))).isTrue();
    assertThat(match.matches(bare)).isFalse();
  }

  @Test
  void otherRuleOrLowerSeverity_isNotMatched() {
    assertThat(new AlertMatcher(Set.of("new-pool"), "info", Map.of()).matches(priceMoved("1"))).isFalse();
    assertThat(new AlertMatcher(Set.of(), "critical", Map.of()).matches(priceMoved("1"))).isFalse();
    assertThat(new AlertMatcher(Set.of("price-move"), "warning", Map.of()).matches(priceMoved("1"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fired", "firing"})
  void silencedAlert_isNotMatched(String status) {
    assertThat(Alerts.ALL.matches(coverageLost(status))).isTrue();
    assertThat(Alerts.ALL.matches(silenced(coverageLost(status)))).isFalse();
  }

  @Test
  void silencedButResolvedAlert_isMatched() {
    assertThat(Alerts.ALL.matches(silenced(coverageLost("resolved")))).isTrue();
  }

  @Test
  void alertThatNeverFired_isNotMatched() {
    Alert passed = coverageLost("resolved");
    passed.setFiredAt(null);

    assertThat(Alerts.ALL.matches(coverageLost("pending"))).isFalse();
    assertThat(Alerts.ALL.matches(passed)).isFalse();
  }
}

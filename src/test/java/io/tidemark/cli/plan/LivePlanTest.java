package io.tidemark.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.LiveSchedule;
import io.tidemark.cli.print.Terminal;
import io.tidemark.event.TargetRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LivePlanTest {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final String TEXT = """
      sources:
        - base-url: https://example.org/api/v3
          keys: [ { key: "${KEY}", per-minute: 30, per-month: 100000 } ]
          watch: { global: {}, networks: { eth: { pools: { "0x1": {} } } } }
      """;

  @Test
  void failingTarget_isShownWithReason_nextPollAndCost() {
    var source = Settings.parse("test", TEXT, name -> name.startsWith("TIDEMARK") ? null : name).sources().getFirst();
    var pool = source.watch().targets().stream().map(each -> each.target().name())
        .filter(name -> name.contains("0x1")).findFirst().orElseThrow();
    var retry = new TargetRetry(5, NOW.plus(Duration.ofMinutes(16)), "404 pool not found", true, null);
    var schedule =
        LiveSchedule.of(source.watch(), source.limits(), null, name -> null, Map.of(pool, retry), NOW);
    var plan = new LivePlan(source, source.watch(), schedule, Set.of(), null, List.of());

    var target = schedule.targets().stream().filter(each -> each.name().equals(pool)).findFirst().orElseThrow();
    assertThat(target.nextPoll()).isBetween(Duration.ofMinutes(16), Duration.ofMinutes(17));
    assertThat(target.polls()).isBetween(4.0, 9.0);
    assertThat(String.join(" ", plan.lines(NOW, Terminal.of(80, false))))
        .contains("failed 5 times in a row; next try in 16m", "404 pool not found");
    assertThat(plan.json(NOW).findPath("retry").path("reason").asText()).isEqualTo("404 pool not found");
  }
}

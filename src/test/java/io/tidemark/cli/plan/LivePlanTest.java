package io.tidemark.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.LiveSchedule;
import io.tidemark.cli.print.Terminal;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyUsage;
import io.tidemark.event.TargetRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"2026-03-31T23:59:59Z, 400, used_up", "2026-04-01T00:00:00Z, 0, used"})
  void budgetOfAnEarlierMonth_countsNoCalls(Instant now, long reserved, String status) {
    var source = Settings.parse("test", TEXT, name -> name.startsWith("TIDEMARK") ? null : name).sources().getFirst();
    var key = KeyUsage.newBuilder().setKey("1").setPerMonth(100_000).setReserved(400).setStatus("used_up").build();
    var committed = Budget.newBuilder().setMonth(Instant.parse("2026-03-01T00:00:00Z")).setPerMonth(100_000)
        .setReserved(400).setKeys(List.of(key)).build();

    var budget = LiveSchedule.budgetAt(now, committed, source.limits());

    assertThat(budget.getReserved()).isEqualTo(reserved);
    assertThat(budget.getKeys()).singleElement().satisfies(usage -> {
      assertThat(usage.getReserved()).isEqualTo(reserved);
      assertThat(usage.getStatus()).isEqualTo(status);
    });
  }
}

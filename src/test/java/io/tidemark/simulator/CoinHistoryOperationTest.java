package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.ask;
import static io.tidemark.simulator.SimulatorFixture.calm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.CoinDay;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class CoinHistoryOperationTest {
  private static final LocalDate DAY = LocalDate.parse("2026-03-04");

  @Test
  void day_untilThirtyFiveMinutesIntoTheNext_hasNoFigures() {
    assertThat(history("2026-03-05T00:34:59Z").getMarket()).isNull();
  }

  @Test
  void day_thirtyFiveMinutesIntoTheNext_hasFigures() {
    assertThat(history("2026-03-05T00:35:00Z").getMarket()).isNotNull();
  }

  @Test
  void day_atAnyLaterTime_staysTheSame() {
    assertThat(history("2026-03-05T00:35:00Z")).isEqualTo(history("2026-12-31T12:00:00Z"));
  }

  @Test
  void day_aYearAgo_isStillAvailable() {
    assertThat(history("2027-03-04T12:00:00Z").getMarket()).isNotNull();
  }

  @Test
  void day_moreThanAYearAgo_isNotInThePlan() {
    assertThatThrownBy(() -> history("2027-03-05T00:00:00Z")).isInstanceOf(Failure.NotInPlan.class);
  }

  private static CoinDay history(String instant) {
    return ask(calm(6).at(Instant.parse(instant)), new Query.CoinHistory("solana", DAY, true)).resource();
  }
}

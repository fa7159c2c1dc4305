package io.tidemark.tape;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The laws of the tape over stretches of the market that once broke one, and the same of them each time. */
class VirtualTapeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @ParameterizedTest
  @CsvSource({
      "CALM, everything, 2026-11-22T01:33:00Z, 3, true",
      "DIRTY_DATA, everything, 2026-11-27T21:48:39.944Z, 947989, false",
      "DIRTY_DATA, material, 2026-11-22T01:32:50Z, 4, true",
  })
  void market_tapeIsWhatWasServed(
      Scenario scenario, String events, Instant start, long seed, boolean answersDisagree) throws IOException {
    try (var run = new VirtualRun(new SimulatorSettings(7, scenario, 100), events, start, seed)) {
      run.pass(MINUTE);
      run.startAgain();
      run.pass(MINUTE);

      assertThat(run.check(events.equals("everything")).refused() > 0).isEqualTo(answersDisagree);
    }
  }
}

package io.tidemark.tape;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.embedded.StrictKafka;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is on the tape is what the market showed: all of it, and nothing else. */
class TapeIT {
  /** What is null in the made-up market as in the real one, and tokens on bonding curves: they are not watched. */
  static final Set<String> NEVER_SHOWN = Set.of(
      "coin-day.community.facebook_likes",
      "coin-day.interest.alexa_rank",
      "coin-day.interest.bing_matches",
      "derivatives-exchange.description.country",
      "ticker.media.token_info_url",
      "ticker.standing.trust_score",
      "token.launchpad.launchpad_details.completed",
      "token.launchpad.launchpad_details.completed_at",
      "token.launchpad.launchpad_details.graduation_percentage",
      "token.launchpad.launchpad_details.migrated_destination_pool_address");

  @TempDir
  Path folder;

  @Test
  void everyOperationWatched_tapeIsWhatWasServed() throws IOException {
    try (var run = run(Scenario.CALM, "everything")) {
      run.awaitLooks(5);
      run.awaitNews(NEVER_SHOWN);
      run.stop();
      var coverage = new Coverage(run.check(true));

      assertThat(coverage.operations()).hasSize(13);
    }
  }

  @Test
  void programStoppedAndStartedAgain_goesOnWhereItWas() throws IOException {
    try (var run = run(Scenario.CALM, "everything")) {
      run.awaitLooks(3);
      run.stop();
      run.startAgain();
      run.awaitLooks(6);
      run.stop();

      run.check(true);
    }
  }

  @Test
  void programKilledInTheMiddle_losesAndRepeatsNothing() throws IOException {
    try (var run = run(Scenario.CALM, "everything")) {
      run.awaitLooks(3);
      run.kill();
      run.startAgain();
      run.awaitLooks(6);
      run.stop();

      run.check(true);
    }
  }

  @Test
  void onlyWhatIsMaterialSaid_statesSayWhatIsHeldBack() throws IOException {
    try (var run = run(Scenario.CALM, "material")) {
      run.awaitLooks(5);
      run.stop();
      Tape tape = run.check(false);

      assertThat(tape.in(tape.topics().pool().state())).anyMatch(entry -> Facts.at(entry.value(), "said") != null);
    }
  }

  @Test
  void dirtyMarket_tapeIsWhatWasServed() throws IOException {
    try (var run = run(Scenario.DIRTY_DATA, "everything")) {
      run.awaitLooks(5);
      run.stop();

      run.check(true);
    }
  }

  private TapeRun run(Scenario scenario, String events) throws IOException {
    return new TapeRun(StrictKafka.access(), StrictKafka.freshPrefix(), folder, scenario, events);
  }
}

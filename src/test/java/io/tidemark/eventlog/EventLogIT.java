package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.embedded.EndToEndKafka;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The event log contains all that the market showed, and nothing else. */
@Execution(ExecutionMode.CONCURRENT)
class EventLogIT {
  /** Attributes that are null in the simulated and the real market, and those of unwatched bonding-curve tokens. */
  static final Set<String> NEVER_OBSERVED = Set.of(
      "coin-day.community.facebook_likes",
      "coin-day.interest.alexa_rank",
      "coin-day.interest.bing_matches",
      "derivatives-exchange.description.country",
      "ticker.media.token_info_url",
      "ticker.quality.trust_score",
      "token.launchpad.launchpad_details.completed",
      "token.launchpad.launchpad_details.completed_at",
      "token.launchpad.launchpad_details.graduation_percentage",
      "token.launchpad.launchpad_details.migrated_destination_pool_address");

  @TempDir
  Path folder;

  @Test
  void everyOperationWatched_eventLogIsWhatWasServed() throws IOException {
    try (var run = run(Scenario.CALM, "everything")) {
      run.awaitSnapshots(5);
      run.awaitNews(NEVER_OBSERVED);
      run.stop();
      var coverage = new InterfaceCoverage(run.check(true));

      assertThat(coverage.operations()).hasSize(13);
    }
  }

  @Test
  void dirtyMarket_programStoppedAndKilled_losesAndRepeatsNothing() throws IOException {
    try (var run = run(Scenario.DIRTY_DATA, "everything")) {
      run.awaitSnapshots(2);
      run.stop();
      run.startAgain();
      run.awaitSnapshots(4);
      run.kill();
      run.startAgain();
      run.awaitSnapshots(6);
      run.stop();

      run.check(true);
    }
  }

  @Test
  void onlyWhatIsMaterialSaid_statesSayWhatIsHeldBack() throws IOException {
    try (var run = run(Scenario.CALM, "material")) {
      run.awaitSnapshots(5);
      run.stop();
      EventLog eventLog = run.check(false);

      assertThat(eventLog.in(eventLog.topics().pool().state()))
          .anyMatch(entry -> PlainValues.at(entry.value(), "withheld") != null);
    }
  }

  private EventLogRun run(Scenario scenario, String events) throws IOException {
    return new EventLogRun(EndToEndKafka.access(), EndToEndKafka.freshPrefix(), folder, scenario, events);
  }
}

package io.tidemark.bench;

import io.tidemark.bench.BenchResult.Round;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.simulator.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/**
 * The bench part that measures how long {@code rules backtest} takes for one hour of a demo's history, with the rules
 * that were in force, on a calm day and on launch day.
 */
final class BacktestBench implements BenchPart {
  private static final List<Scenario> SCENARIOS = List.of(Scenario.CALM, Scenario.LAUNCH_DAY);

  /** Number of partitions, as in the demo. */
  private static final int PARTITIONS = 2;

  /** Maximum seconds for a backtest of one hour of history. */
  private static final double AIM = 60;

  @Override
  public String name() {
    return "backtest";
  }

  @Override
  public String description() {
    return "rules backtest of the shipped rules over the last hour of a demo, on a calm day and on launch day, from the"
        + " start of the process to its end";
  }

  @Override
  public boolean takesLong() {
    return true;
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    return SCENARIOS.stream().map(scenario -> {
      var seconds = backtest(kafka, scenario, settings.history());
      progress.update(1L + SCENARIOS.indexOf(scenario), SCENARIOS.size());
      return BenchResult.lessIsBetter(
          "backtest, " + scenario.wire(), "s", List.of(new Round(seconds)), AIM);
    }).toList();
  }

  private static double backtest(BenchKafka kafka, Scenario scenario, Duration history) {
    var end = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var start = end.minus(history);
    try (var source = BenchSource.createWithStreams(kafka, PARTITIONS);
        var admin = Admin.create(source.client())) {
      new TopicSetup(admin, TopicLayout.DEFAULT).grow(ClusterTopics.UNPREFIXED.schemas(), 1);
      new DemoHistory(source, scenario, start).writeUntil(end);
      return StartBench.untilEnd(ChildJvm.programCommand(List.of(), "rules", "backtest", "--format", "json",
          "--from", start.toString(), "--to", end.toString(),
          "--bootstrap", source.bootstrapServers(), "--prefix", source.topics().prefix()));
    }
  }
}

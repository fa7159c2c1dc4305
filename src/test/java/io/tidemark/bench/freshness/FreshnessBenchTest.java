package io.tidemark.bench.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The goals of the schedule, on loads that are small enough for every build. */
class FreshnessBenchTest {

  @ParameterizedTest
  @CsvSource({"250, --overlap, 1.15", "500, --overlap, 1.20", "1000, --overlap, 1.30", "250, --no-overlap, 1.10"})
  void weightedAge_isNearTheBound_andFarFromOtherSchedules(int budget, String overlap, double most) throws Exception {
    var measured = measure(1000, budget, overlap);

    var bound = measured.get("bound_seconds").asDouble();
    assertThat(measured.get("ratio").asDouble()).as("to the bound").isBetween(0.97, most);
    assertThat(measured.at("/round_robin/weighted_age_seconds").asDouble()).isGreaterThan(2 * bound);
    assertThat(measured.at("/fixed_interval/weighted_age_seconds").asDouble()).isGreaterThan(8 * bound);
    assertThat(measured.at("/schedule/early").asDouble()).isLessThan(0.03);
    assertThat(measured.at("/schedule/calls_per_minute").asDouble()).isLessThanOrEqualTo(budget * 1.01);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--public", "--overlap"})
  void budgetToSpare_pollsRightAfterEachRefresh_andHardlyEverBefore(String periods) throws Exception {
    var measured = measure(100, 800, periods).get("schedule");

    assertThat(measured.get("latency_p50_periods").asDouble()).isLessThanOrEqualTo(0.03);
    assertThat(measured.get("latency_p99_periods").asDouble()).isLessThanOrEqualTo(0.15);
    assertThat(measured.get("early").asDouble()).isLessThanOrEqualTo(0.03);
  }

  @Test
  void limitOfAge_isKept_andCostsLittle() throws Exception {
    var without = measure(1000, 250, "--overlap");
    var with = measure(1000, 250, "--max-age=600");

    assertThat(without.at("/schedule/longest_gap_seconds").asDouble()).isGreaterThan(700);
    assertThat(with.at("/schedule/longest_gap_seconds").asDouble()).isLessThanOrEqualTo(606);
    assertThat(with.get("ratio").asDouble()).isLessThan(1.02 * without.get("ratio").asDouble());
  }

  private static JsonNode measure(int resources, int budget, String option) throws IOException {
    var out = new StringWriter();
    var exit = Main.commandLine().setOut(new PrintWriter(out)).execute("bench", "freshness", "--n", "" + resources,
        "--budget", "" + budget, option, "--seeds", "1", "--warm-up", "60", "--measured", "90", "--format", "json");
    assertThat(exit).isZero();
    return new ObjectMapper().readTree(out.toString()).get(0);
  }
}

package io.tidemark.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The goals of the schedule, on loads that are small enough for every build. */
class FreshnessBenchTest {

  @ParameterizedTest
  @CsvSource({"250, --overlap, 1.15", "500, --overlap, 1.20", "1000, --overlap, 1.30", "250, --no-overlap, 1.10"})
  void weightedAge_isNearTheBound_andFarFromOtherSchedules(int budget, String overlap, double most) throws Exception {
    var out = new StringWriter();

    var exit = Main.commandLine().setOut(new PrintWriter(out)).execute("bench", "freshness", "--n", "1000", "--budget",
        "" + budget, overlap, "--seeds", "1", "--warm-up", "60", "--measured", "90", "--format", "json");

    assertThat(exit).isZero();
    var measured = new ObjectMapper().readTree(out.toString()).get(0);
    var bound = measured.get("bound_seconds").asDouble();
    assertThat(measured.get("ratio").asDouble()).as("to the bound").isBetween(0.97, most);
    assertThat(measured.at("/round_robin/weighted_age_seconds").asDouble()).isGreaterThan(2 * bound);
    assertThat(measured.at("/fixed_interval/weighted_age_seconds").asDouble()).isGreaterThan(8 * bound);
    assertThat(measured.at("/schedule/early").asDouble()).isLessThan(0.03);
    assertThat(measured.at("/schedule/calls_per_minute").asDouble()).isLessThanOrEqualTo(budget * 1.01);
  }
}

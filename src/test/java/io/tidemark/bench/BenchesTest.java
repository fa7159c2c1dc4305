package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.embedded.SharedBroker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The smoke form of the bench: every part runs and answers figures. Which, depends on the machine. */
class BenchesTest {

  static List<BenchPart> parts() {
    return Benches.all();
  }

  /** In this process: the parts start one of their own only in the command. */
  private static final BenchKafka KAFKA = BenchKafka.at(SharedBroker.bootstrapServers());

  /** The rows of the table of parts: each is to be seen where the bench runs as a whole. */
  @Test
  void parts_areThoseOfTheTable() {
    assertThat(parts()).extracting(BenchPart::name).containsExactly("detect", "ledger", "latency",
        "alerts", "streams", "tick", "restore", "memory", "growth", "page", "feeds", "mirror", "catch-up", "backtest",
        "start");
  }

  @ParameterizedTest
  @MethodSource("parts")
  void part_answersWhatItMeasuredBesideAnAim(BenchPart part) {
    var results = part.run(BenchSettings.SMOKE, KAFKA, (done, total) -> assertThat(done).isBetween(1L, total));

    assertThat(results).isNotEmpty().allSatisfy(result -> {
      assertThat(result.name()).startsWith(part.name());
      assertThat(List.of(result.measured(), result.aim()))
          .allSatisfy(figure -> assertThat(figure).isFinite().isPositive());
    });
  }
}

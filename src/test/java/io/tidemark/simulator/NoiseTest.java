package io.tidemark.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NoiseTest {
  private static final Noise NOISE = new Noise(42);
  private static final long MANY = 20_000;

  @Test
  void mixedNumber_canBeUnmixed() {
    assertThat(LongStream.range(-1_000, 1_000).map(Noise::mix).map(Noise::unmix))
        .containsExactlyElementsOf(LongStream.range(-1_000, 1_000).boxed().toList());
  }

  @Test
  void units_areEvenlySpread() {
    var units = units().toArray();

    assertThat(DoubleStream.of(units).allMatch(unit -> unit >= 0 && unit < 1)).isTrue();
    assertThat(DoubleStream.of(units).average().orElseThrow()).isCloseTo(0.5, within(0.01));
  }

  private static DoubleStream units() {
    return LongStream.range(0, MANY).mapToDouble(NOISE::unit);
  }

  @Test
  void normals_haveDeviationOne() {
    double squares = LongStream.range(0, MANY).mapToDouble(NOISE::normal).map(value -> value * value).sum();

    assertThat(Math.sqrt(squares / MANY)).isCloseTo(1, within(0.02));
  }

  @Test
  void thingsOfOtherNames_haveOtherNoise() {
    assertThat(NOISE.of("a").bits(0)).isNotEqualTo(NOISE.of("b").bits(0));
    assertThat(NOISE.of(1).bits(0)).isNotEqualTo(NOISE.of(2).bits(0));
  }

  @Test
  void walk_betweenTwoPlaces_doesNotJump() {
    var walk = new Walk(NOISE, 64, 8, 0.01);

    assertThat(walk.at(100_000.5)).isCloseTo(walk.at(100_000), within(0.01));
  }

  @Test
  void walk_afterALongTime_isElsewhere() {
    var walk = new Walk(NOISE, 64, 8, 0.01);

    assertThat(walk.at(1_000_000)).isNotCloseTo(walk.at(0), within(0.1));
  }
}

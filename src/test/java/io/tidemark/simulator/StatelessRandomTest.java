package io.tidemark.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class StatelessRandomTest {
  private static final StatelessRandom RANDOM = new StatelessRandom(42);
  private static final long MANY = 20_000;

  @Test
  void unmix_invertsMix() {
    assertThat(LongStream.range(-1_000, 1_000).map(StatelessRandom::mix).map(StatelessRandom::unmix))
        .containsExactlyElementsOf(LongStream.range(-1_000, 1_000).boxed().toList());
  }

  @Test
  void uniformNumbers_areEvenlySpread() {
    var units = units().toArray();

    assertThat(DoubleStream.of(units).allMatch(unit -> unit >= 0 && unit < 1)).isTrue();
    assertThat(DoubleStream.of(units).average().orElseThrow()).isCloseTo(0.5, within(0.01));
  }

  private static DoubleStream units() {
    return LongStream.range(0, MANY).mapToDouble(RANDOM::uniform);
  }

  @Test
  void normalNumbers_haveDeviationOne() {
    double squares = LongStream.range(0, MANY).mapToDouble(RANDOM::normal).map(value -> value * value).sum();

    assertThat(Math.sqrt(squares / MANY)).isCloseTo(1, within(0.02));
  }

  @Test
  void derivedParts_haveOtherNumbers() {
    assertThat(RANDOM.derive("a").bits(0)).isNotEqualTo(RANDOM.derive("b").bits(0));
    assertThat(RANDOM.derive(1).bits(0)).isNotEqualTo(RANDOM.derive(2).bits(0));
  }

  @Test
  void walk_betweenTwoPlaces_doesNotJump() {
    var walk = new RandomWalk(RANDOM, 64, 8, 0.01);

    assertThat(walk.at(100_000.5)).isCloseTo(walk.at(100_000), within(0.01));
  }

  @Test
  void walk_afterALongTime_hasMoved() {
    var walk = new RandomWalk(RANDOM, 64, 8, 0.01);

    assertThat(walk.at(1_000_000)).isNotCloseTo(walk.at(0), within(0.1));
  }
}

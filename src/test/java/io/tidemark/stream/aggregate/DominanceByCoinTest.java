package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.event.Dominance;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.GlobalDominance;
import io.tidemark.event.GlobalDominanceChange;
import io.tidemark.event.Visibility;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DominanceByCoinTest {

  private final AggregateRun<Dominance> run = new AggregateRun<>(new DominanceByCoin());

  @Test
  void shifts_areTheDifferenceToAnHourAgo() {
    shares(minute(1), Map.of("btc", 50.0, "eth", 20.0));
    shares(minute(30), Map.of("btc", 52.5, "eth", 18.0));
    run.until(minute(61));
    assertThat(run.stored("btc").getChange1h()).isNull();

    run.until(minute(63));

    assertThat(run.stored("btc").getChange1h()).isCloseTo(2.5, within(1e-12));
    assertThat(run.stored("eth").getChange1h()).isCloseTo(-2.0, within(1e-12));
    assertThat(run.stored("eth").getRank()).isEqualTo(2);
    assertThat(run.stored("eth").getChange24h()).isNull();

    run.until(minute(100));
    assertThat(run.stored("btc").getChange1h()).isZero();
  }

  @Test
  void coinNoLongerListed_keepsItsLastShare() {
    shares(minute(1), Map.of("btc", 50.0, "luna", 3.0));
    shares(minute(2), Map.of("btc", 51.0));
    run.until(minute(4));

    assertThat(run.stored("luna")).satisfies(luna -> {
      assertThat(luna.getListed()).isFalse();
      assertThat(luna.getPercentage()).isEqualTo(3.0);
      assertThat(luna.getRank()).isNull();
    });
  }

  @Test
  void coinListedAgain_isNotComparedWithItsShareFromBefore() {
    shares(minute(1), Map.of("btc", 50.0, "luna", 3.0));
    shares(minute(10), Map.of("btc", 51.0));
    shares(minute(200), Map.of("btc", 50.0, "luna", 1.0));
    run.until(minute(202));
    assertThat(run.stored("luna").getChange1h()).isNull();

    run.until(minute(262));
    assertThat(run.stored("luna").getChange1h()).isZero();
  }

  @Test
  void shareThatIsNone_isNotListed() {
    var shares = new HashMap<String, Double>();
    shares.put("btc", 50.0);
    shares.put("eth", null);
    shares.put("nan", Double.NaN);
    shares(minute(1), shares);
    run.until(minute(3));

    assertThat(run.published()).extracting(Dominance::getCoin).containsExactly("btc");
  }

  @Test
  void marketNotVisible_isMarkedAndSurvivesARestart() {
    shares(minute(1), Map.of("btc", 50.0));
    run.until(minute(3));
    run.restart();
    var hidden =
        GlobalChange.newBuilder().setOrigin(Origins.at(minute(20))).setVisibility(new Visibility(false, minute(1)))
            .build();
    run.change("global", hidden, minute(20));
    run.until(minute(22));

    assertThat(run.stored("btc").getVisible()).isFalse();
    assertThat(run.stored("btc").getPercentage()).isEqualTo(50.0);

    run.until(minute(200));
    var back =
        GlobalChange.newBuilder().setOrigin(Origins.at(minute(200))).setVisibility(new Visibility(true, minute(1)))
            .build();
    run.change("global", back, minute(200));
    shares(minute(200), Map.of("btc", 55.0));
    run.until(minute(202));
    assertThat(run.stored("btc").getVisible()).isTrue();
    assertThat(run.stored("btc").getChange1h()).as("not known an hour ago").isNull();
  }

  /** As after a night without an owner, whose last poll showed a change, or none. */
  @ParameterizedTest
  @ValueSource(ints = {1, 90})
  void marketNotObservedForHours_isNotComparedWithItsShareFromBefore(int last) {
    shares(minute(1), Map.of("btc", 50.0));
    run.until(minute(90));
    shares(minute(480), Map.of("btc", 51.2), minute(last));
    run.until(minute(482));
    assertThat(run.stored("btc").getChange1h()).isNull();

    run.until(minute(542));

    assertThat(run.stored("btc").getChange1h()).isZero();
  }

  private void shares(Instant at, Map<String, Double> shares) {
    shares(at, shares, null);
  }

  private void shares(Instant at, Map<String, Double> shares, @Nullable Instant beforeObservedAt) {
    var change = GlobalChange.newBuilder()
        .setOrigin(Origins.at(at))
        .setDominance(GlobalDominanceChange.newBuilder()
            .setBeforeObservedAt(beforeObservedAt)
            .setAfter(GlobalDominance.newBuilder().setMarketCapPercentage(shares).build()).build())
        .build();
    run.change("global", change, at);
  }
}

package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static io.tidemark.stream.aggregate.Origins.second;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.event.Mover;
import io.tidemark.event.Movers;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MoversByNetworkTest {

  private final AggregateRun<Movers> run = new AggregateRun<>(new MoversByNetwork());

  @Test
  void poolsThatRoseAndFell_areListedByHowMuch() {
    prices(second(10), 1.0, 1.0, 1.0);
    prices(second(130), 1.5, 0.5, 2.0);
    run.until(minute(6));

    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getNetwork()).isEqualTo("solana");
      assertThat(movers.getAt()).isEqualTo(minute(6));
      assertThat(movers.getM5().getMeasured()).isEqualTo(3);
      assertThat(movers.getM5().getUp()).isEqualTo(2);
      assertThat(movers.getM5().getDown()).isEqualTo(1);
      assertThat(movers.getM5().getGainers()).extracting(Mover::getPool).containsExactly("pool-2", "pool-0");
      assertThat(movers.getM5().getLosers()).singleElement().satisfies(mover -> {
        assertThat(mover.getPercent()).isCloseTo(-50, within(1e-9));
        assertThat(mover.getPriceThenUsd()).isEqualTo(1.0);
        assertThat(mover.getPriceUsd()).isEqualTo(0.5);
      });
      assertThat(movers.getH1().getMeasured()).as("no pool was known an hour ago").isZero();
    });
  }

  @Test
  void movementsAreOver_whenTheirWindowIs() {
    prices(second(10), 1.0);
    prices(minute(10), 2.0);
    run.until(minute(12));
    assertThat(run.published()).last().satisfies(movers -> assertThat(movers.getM5().getUp()).isEqualTo(1));

    run.until(minute(20));

    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getM5().getUp()).isZero();
      assertThat(movers.getM5().getMeasured()).isEqualTo(1);
    });
  }

  @Test
  void poolNotVisible_isKnownAndNotMeasuredUntilItIsVisible() {
    prices(second(10), 1.0);
    prices(minute(1), 2.0);
    var hidden = change("pool-0", minute(7), 2.0);
    hidden.setVisibility(new Visibility(false, minute(1)));
    run.change("pool-0", hidden, minute(7));
    run.until(minute(8));
    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getPools()).isEqualTo(1);
      assertThat(movers.getVisible()).isZero();
      assertThat(movers.getM5().getMeasured()).isZero();
    });

    prices(minute(8), 2.0);
    var back = change("pool-0", minute(9), 3.0);
    back.setVisibility(new Visibility(true, minute(1)));
    run.change("pool-0", back, minute(9));
    run.until(minute(10));

    assertThat(run.published()).last().satisfies(movers -> assertThat(movers.getM5().getUp()).isEqualTo(1));
  }

  @Test
  void poolThatWasNotVisibleAtTheBeginningOfAWindow_hasNoMoveInIt() {
    prices(second(10), 1.0);
    var hidden = change("pool-0", minute(7), 1.0);
    hidden.setVisibility(new Visibility(false, minute(1)));
    run.change("pool-0", hidden, minute(7));
    run.until(minute(120));
    var back = change("pool-0", minute(120), 0.4);
    back.setVisibility(new Visibility(true, minute(1)));
    run.change("pool-0", back, minute(120));
    run.until(minute(122));

    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getVisible()).isEqualTo(1);
      assertThat(movers.getM5().getMeasured()).isZero();
      assertThat(movers.getH1().getMeasured()).isZero();
    });

    run.until(minute(127));
    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getM5().getMeasured()).isEqualTo(1);
      assertThat(movers.getM5().getDown()).isZero();
    });
  }

  @Test
  void priceThatIsMissingOrNone_isNotOne() {
    prices(second(10), 1.0, 0.0);
    run.change("pool-0", change("pool-0", minute(3), Double.NaN), minute(3));
    run.change("pool-2", change("pool-2", minute(3), null), minute(3));
    run.until(minute(6));

    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getPools()).as("the last known price holds, no price is none").isEqualTo(2);
      assertThat(movers.getM5().getMeasured()).as("nothing rises from zero").isEqualTo(1);
      assertThat(movers.getM5().getUp()).isZero();
    });
  }

  @Test
  void dust_isCountedAndNotListed() {
    var dust = change("dust", second(10), 1.0);
    dust.getAbout().setReserveUsd(999.0);
    run.change("dust", dust, second(10));
    var risen = change("dust", minute(1), 100.0);
    risen.getAbout().setReserveUsd(999.0);
    run.change("dust", risen, minute(1));
    run.until(minute(6));

    assertThat(run.published()).last().satisfies(movers -> {
      assertThat(movers.getM5().getUp()).isEqualTo(1);
      assertThat(movers.getM5().getGainers()).isEmpty();
    });
  }

  @Test
  void removedPool_isDropped() {
    prices(second(10), 1.0, 1.0);
    var removed = change("pool-1", minute(1), 1.0);
    removed.setRemoved(new Removed("not_found"));
    run.change("pool-1", removed, minute(1));
    run.until(minute(2));

    assertThat(run.published()).last().satisfies(movers -> assertThat(movers.getPools()).isEqualTo(1));
  }

  @Test
  void restartedTask_publishesTheSameAndNothingTwice() {
    prices(second(10), 1.0, 1.0);
    prices(minute(1), 1.5, 0.5);
    run.until(minute(2));
    run.published();

    run.restart();
    run.until(minute(3));
    assertThat(run.published()).isEmpty();
    run.until(minute(6));

    assertThat(run.published()).singleElement().satisfies(movers -> {
      assertThat(movers.getM5().getUp()).isEqualTo(1);
      assertThat(movers.getM5().getDown()).isEqualTo(1);
    });
    assertThat(run.stored("solana").getAt()).isEqualTo(minute(6));
  }

  private void prices(Instant at, double... prices) {
    for (var n = 0; n < prices.length; n++) {
      run.change("pool-" + n, change("pool-" + n, at, prices[n]), at);
    }
  }

  private static PoolChange change(String id, Instant at, Double price) {
    return PoolChange.newBuilder()
        .setId(id)
        .setNetwork("solana")
        .setOrigin(Origins.at(at))
        .setAbout(PoolAbout.newBuilder().setPriceUsd(price).setReserveUsd(50_000.0).build())
        .build();
  }
}

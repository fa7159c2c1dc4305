package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static io.tidemark.stream.aggregate.Origins.second;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Liquidity;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolActivityChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.event.TradeWindows;
import io.tidemark.event.Trades;
import io.tidemark.event.Visibility;
import io.tidemark.event.Windows;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LiquidityByExchangeTest {

  private final AggregateRun<Liquidity> run = new AggregateRun<>(new LiquidityByExchange());

  @Test
  void reservesAndVolumes_areSummedByNetworkAndExchange() {
    pool("a", "raydium", 1_000.0, "10.5");
    pool("b", "raydium", 500.0, "1");
    pool("c", "orca", 50.0, "100");
    run.until(minute(1));

    assertThat(run.published())
        .extracting(each -> "%s %d %s %s %d".formatted(
            each.getDex(), each.getVisible(), each.getReserveUsd(), each.getVolumeH24Usd(), each.getBuysH24()))
        .containsExactlyInAnyOrder(
            "null 3 1550.0 111.5 21", "raydium 2 1500.0 11.5 14", "orca 1 50.0 100.0 7");
  }

  @Test
  void figuresThatAreNone_areNoPartOfASum() {
    pool("a", "raydium", 1_000.0, "NaN");
    pool("b", "raydium", Double.NaN, null);
    pool("c", "raydium", null, "5");
    run.until(minute(1));

    assertThat(run.stored("solana/raydium")).satisfies(liquidity -> {
      assertThat(liquidity.getVisible()).isEqualTo(3);
      assertThat(liquidity.getWithReserve()).isEqualTo(1);
      assertThat(liquidity.getWithVolume()).isEqualTo(1);
      assertThat(liquidity.getReserveUsd()).isEqualTo(1_000.0);
      assertThat(liquidity.getVolumeH24Usd()).isEqualTo(5.0);
    });
  }

  @Test
  void poolNotVisibleAndVisibleAgain_countsAgain() {
    pool("a", "raydium", 1_000.0, "10");
    var hidden = change("a", "raydium", minute(20), 1_000.0);
    hidden.setVisibility(new Visibility(false, minute(1)));
    run.change("a", hidden, minute(20));
    run.until(minute(21));
    assertThat(run.stored("solana")).satisfies(liquidity -> {
      assertThat(liquidity.getPools()).isEqualTo(1);
      assertThat(liquidity.getVisible()).isZero();
      assertThat(liquidity.getReserveUsd()).isZero();
    });

    run.change("a", change("a", "raydium", minute(25), 800.0), minute(25));
    run.until(minute(26));
    assertThat(run.stored("solana").getVisible()).as("a withheld change does not make it visible").isZero();

    var back = change("a", "raydium", minute(30), 700.0);
    back.setVisibility(new Visibility(true, minute(1)));
    run.change("a", back, minute(30));
    run.until(minute(31));

    assertThat(run.stored("solana").getReserveUsd()).isEqualTo(700.0);
    assertThat(run.stored("solana").getVolumeH24Usd()).as("what was known before").isEqualTo(10.0);
  }

  @Test
  void poolWhoseExchangeBecomesKnown_movesThere() {
    pool("a", null, 1_000.0, "10");
    run.until(minute(1));
    assertThat(run.published()).extracting(Liquidity::getDex).containsExactly((String) null);

    run.change("a", change("a", "orca", minute(2), 1_000.0), minute(2));
    run.until(minute(3));

    assertThat(run.published()).singleElement()
        .satisfies(liquidity -> assertThat(liquidity.getDex()).isEqualTo("orca"));
  }

  @Test
  void minuteWithoutChanges_publishesNothing() {
    pool("a", "raydium", 1_000.0, "10");
    run.until(minute(1));
    run.published();

    pool("a", "raydium", 1_000.0, "10");
    run.until(minute(5));

    assertThat(run.published()).isEmpty();
  }

  @Test
  void changesOfOneMinute_arePublishedOnce() {
    pool("a", "raydium", 1_000.0, "10");
    run.change("a", change("a", "raydium", second(20), 900.0), second(20));
    run.change("a", change("a", "raydium", second(40), 800.0), second(40));
    run.change("a", change("a", "raydium", second(61), 700.0), second(61));
    run.until(second(61));

    assertThat(run.published()).hasSize(2).allSatisfy(each -> assertThat(each.getReserveUsd()).isEqualTo(800.0));
  }

  @Test
  void changeReadLate_isPublishedWithTheNextMinute() {
    pool("a", "raydium", 1_000.0, "10");
    run.until(minute(2));
    run.published();

    run.change("a", change("a", "raydium", second(90), 5.0), second(90));
    run.until(minute(3));

    assertThat(run.published()).hasSize(2).allSatisfy(each -> assertThat(each.getReserveUsd()).isEqualTo(5.0));
  }

  @Test
  void removalOfTheLastPool_removesTheGroup() {
    pool("a", "raydium", 1_000.0, "10");
    var removed = change("a", "raydium", minute(2), 0.0);
    removed.setRemoved(new Removed("evicted"));
    run.change("a", removed, minute(2));
    run.until(minute(3));

    assertThat(run.stored("solana")).isNull();
  }

  private void pool(String id, String dex, Double reserve, String volume) {
    var change = change(id, dex, second(10), reserve);
    var activity = PoolActivity.newBuilder()
        .setVolumeUsd(Windows.newBuilder().setH1(volume).setH24(volume).build())
        .setTransactions(TradeWindows.newBuilder().setH24(new Trades(7L, 3L, 1L, null)).build())
        .build();
    change.setActivity(PoolActivityChange.newBuilder().setAfter(activity).build());
    run.change(id, change, second(10));
  }

  private static PoolChange change(String id, String dex, Instant at, Double reserve) {
    return PoolChange.newBuilder()
        .setId(id)
        .setNetwork("solana")
        .setOrigin(Origins.at(at))
        .setAbout(PoolAbout.newBuilder().setDex(dex).setReserveUsd(reserve).build())
        .build();
  }
}

package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.NOON;
import static io.tidemark.stream.aggregate.Origins.minute;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Appeared;
import io.tidemark.event.Control;
import io.tidemark.event.Launches;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Survival;
import io.tidemark.event.Visibility;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LaunchesByHourTest {

  static final int DAY = 24 * 60;

  private final AggregateRun<Launches> run = new AggregateRun<>(new LaunchesByHour());

  @Test
  void poolsCreatedInAnHour_areCountedByExchange() {
    created("a", "raydium", minute(5));
    created("b", "raydium", minute(59));
    created("c", "raydium", minute(61));
    created("d", "pump", minute(6));
    found("e");
    run.until(minute(62));

    assertThat(run.published())
        .extracting(each -> "%s %s %d".formatted(each.getDex(), each.getStart(), each.getPools()))
        .containsExactlyInAnyOrder(
            "raydium 2026-01-01T12:00:00Z 2", "raydium 2026-01-01T13:00:00Z 1", "pump 2026-01-01T12:00:00Z 1");
  }

  @Test
  void poolWhoseExchangeIsKnownLater_staysInItsGroup() {
    created("a", null, minute(1));
    run.until(minute(3));
    var known = change("a", minute(4), 1_000.0);
    known.getAbout().setDex("raydium");
    run.change("a", known, minute(4));
    run.until(minute(6));
    var other = change("a", minute(7), 1_000.0);
    other.getAbout().setDex("pump");
    run.change("a", other, minute(7));
    run.until(minute(9));

    assertThat(run.published()).extracting(each -> each.getDex() + " " + each.getPools()).containsOnly(" 1");
  }

  @Test
  void afterAnHour_someHeldSomeAreLostAndSomeWereNotObserved() {
    created("held", "raydium", minute(1));
    created("lost", "raydium", minute(1));
    created("removed", "raydium", minute(1));
    created("unseen", "raydium", minute(1));
    reserve("held", minute(50), 600.0);
    reserve("lost", minute(50), 400.0);
    removed("removed", minute(40));
    notVisible("unseen", minute(70), minute(20));
    run.until(minute(89));
    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(0, 0, 0, 4));

    run.until(minute(92));

    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(1, 2, 1, 0));
  }

  @Test
  void changesAfterTheHour_doNotCountInIt() {
    created("a", "raydium", minute(1));
    reserve("a", minute(50), 900.0);
    reserve("a", minute(62), 10.0);
    notVisible("a", minute(85), minute(63));
    run.until(minute(92));

    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(1, 0, 0, 0));
  }

  /** Its reserve at that age stays unknown, whatever it is when a list shows the pool again. */
  @Test
  void poolThatComesBackAfterTheHour_staysNotObserved() {
    created("a", "raydium", minute(1));
    notVisible("a", minute(45), minute(16));
    run.until(minute(92));
    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(0, 0, 1, 0));

    var back = change("a", minute(300), 10.0);
    back.setVisibility(new Visibility(true, minute(16)));
    run.change("a", back, minute(300));
    run.until(minute(302));

    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(0, 0, 1, 0));
    assertThat(run.stored("solana/raydium/" + NOON).getVisible()).isOne();
  }

  @Test
  void removedPoolThatComesBack_isNotLost() {
    created("soon", "raydium", minute(1));
    created("late", "raydium", minute(1));
    removed("soon", minute(20));
    removed("late", minute(20));
    back("soon", minute(40));
    run.until(minute(92));
    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(1, 1, 0, 0));
    assertThat(run.stored("solana/raydium/" + NOON).getVisible()).isOne();

    back("late", minute(300));
    run.until(minute(302));

    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(1, 0, 1, 0));
    assertThat(run.stored("solana/raydium/" + NOON).getVisible()).isEqualTo(2);
    run.until(minute(DAY + 32));
    assertThat(run.stored("solana/raydium/" + NOON).getAfter24h()).isEqualTo(new Survival(2, 0, 0, 0));
  }

  @Test
  void removedPoolThatComesBackVisibleAgain_wasNotObservedAtTheAgeBetween() {
    created("a", "raydium", minute(1));
    notVisible("a", minute(70), minute(50));
    removed("a", minute(75));
    var back = change("a", minute(80), 1_000.0);
    back.setAppeared(Appeared.newBuilder().setKind("found").build());
    back.setVisibility(new Visibility(true, minute(75)));
    run.change("a", back, minute(80));
    run.until(minute(92));

    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(0, 0, 1, 0));
  }

  @Test
  void afterADay_theyAreClassifiedAgainAndDropped() {
    created("a", "raydium", minute(1));
    reserve("a", minute(DAY - 1), 10.0);
    run.until(minute(DAY + 32));
    assertThat(run.published()).last().satisfies(launches -> {
      assertThat(launches.getAfter1h()).isEqualTo(new Survival(1, 0, 0, 0));
      assertThat(launches.getAfter24h()).isEqualTo(new Survival(0, 1, 0, 0));
    });

    run.until(minute(DAY + 180)); // the pool expires
    run.until(minute(DAY + 182)); // and its group is published without it

    assertThat(run.published()).isEmpty();
    assertThat(run.stored("solana/raydium/" + NOON)).isNull();
  }

  @Test
  void missingReserve_decidesNothing() {
    created("a", "raydium", minute(1));
    reserve("a", minute(30), Double.NaN);
    reserve("a", minute(40), null);
    run.until(minute(92));

    assertThat(run.stored("solana/raydium/" + NOON).getAfter1h()).isEqualTo(new Survival(1, 0, 0, 0));
    assertThat(run.stored("solana/raydium/" + NOON).getReserveUsd()).isEqualTo(1_000.0);
  }

  @Test
  void restartedTask_stillClassifies() {
    created("a", "raydium", minute(1));
    run.until(minute(2));

    run.restart();
    run.until(minute(92));

    assertThat(run.published()).last()
        .satisfies(launches -> assertThat(launches.getAfter1h()).isEqualTo(new Survival(1, 0, 0, 0)));
  }

  @Test
  void poolThatStillExists_staysInTheFinalFigures() {
    created("a", "raydium", minute(1));
    created("b", "raydium", minute(1));
    reserve("a", minute(DAY - 5), 1_000.0);
    run.until(minute(DAY + 152));
    var last = run.published().getLast();
    assertThat(last.getPools()).isEqualTo(2);

    reserve("a", minute(DAY + 155), 900.0);
    run.until(minute(DAY + 158));
    run.until(minute(DAY + 181));
    run.until(minute(DAY + 182));

    assertThat(run.published()).isEmpty();
  }

  @Test
  void poolFoundAfterItsExpiry_leavesTheFinalFiguresOfItsHour() {
    created("a", "raydium", minute(1));
    run.until(minute(DAY + 152));
    created("late", "raydium", minute(DAY + 200), 60.0 * (DAY + 198));
    run.until(minute(DAY + 203));
    run.until(minute(DAY + 260));

    assertThat(run.published()).isNotEmpty()
        .allMatch(launches -> launches.getStart().equals(NOON) && launches.getPools() == 1)
        .last().satisfies(launches -> assertThat(launches.getAfter24h().getPending()).isZero());
    reserve("late", minute(DAY + 261), 500.0);
    run.until(minute(DAY + 263));
    assertThat(run.out()).isNotEmpty().allMatch(Control.class::isInstance);
  }

  private void created(String id, String dex, Instant at) {
    created(id, dex, at, 30.0);
  }

  private void created(String id, String dex, Instant at, double ageSeconds) {
    var change = change(id, at, 1_000.0);
    change.getAbout().setDex(dex);
    change.setAppeared(new Appeared("created", null, null, ageSeconds));
    run.change(id, change, at);
  }

  private void found(String id) {
    var change = change(id, minute(7), 1_000.0);
    change.setAppeared(new Appeared("found", null, null, null));
    run.change(id, change, minute(7));
  }

  private void reserve(String id, Instant at, Double reserve) {
    run.change(id, change(id, at, reserve), at);
  }

  private void removed(String id, Instant at) {
    var change = change(id, at, 1_000.0);
    change.setRemoved(new Removed("not_found"));
    run.change(id, change, at);
  }

  private void back(String id, Instant at) {
    var change = change(id, at, 1_000.0);
    change.setAppeared(new Appeared("found", null, null, null));
    run.change(id, change, at);
  }

  private void notVisible(String id, Instant at, Instant lastObservedAt) {
    var change = change(id, at, null);
    change.setVisibility(new Visibility(false, lastObservedAt));
    run.change(id, change, at);
  }

  private static PoolChange change(String id, Instant at, Double reserve) {
    return PoolChange.newBuilder()
        .setId(id)
        .setNetwork("solana")
        .setOrigin(Origins.at(at))
        .setAbout(PoolAbout.newBuilder().setReserveUsd(reserve).build())
        .build();
  }
}

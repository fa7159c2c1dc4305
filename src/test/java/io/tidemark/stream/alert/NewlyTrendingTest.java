package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.LIST;
import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.entered;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewlyTrendingTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration COOLDOWN = NewlyTrending.Settings.DEFAULT.cooldown();
  static final double ENOUGH = 10_000;

  private final TopologyRun run = TopologyRun.of(AlertSettings.DEFAULT);

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void poolThatEntersATrendingList_fires() {
    run.listing(entered(NOON, LIST, ENOUGH));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("newly-trending");
      assertThat(alert.getSubject()).isEqualTo(POOL);
      assertThat(alert.getSummary())
          .isEqualTo("PEPE / SOL entered solana/trending/1h at rank 3: reserve 10,000 USD");
      assertThat(alert.getLabels())
          .isEqualTo(Map.of("network", "solana", "dex", "raydium", "list", LIST));
      assertThat(alert.getEvidence().get(0).getTopic()).isEqualTo("test.pool.listing");
    });
  }

  @Test
  void poolThatComesBackSoon_isNotToldOfAgain() {
    run.listing(entered(NOON, LIST, ENOUGH));
    run.listing(entered(NOON.plus(COOLDOWN).minusMillis(1), LIST, ENOUGH));

    assertThat(run.alerts()).hasSize(1);
  }

  @Test
  void poolThatComesBackAfterTheCooldown_isToldOfAgainAsTheSameTrouble() {
    run.listing(entered(NOON, LIST, ENOUGH));
    run.listing(entered(NOON.plus(COOLDOWN), LIST, ENOUGH));

    var alerts = run.alerts();
    assertThat(alerts).extracting(Alert::getId).hasSize(2).doesNotHaveDuplicates();
    assertThat(alerts).extracting(Alert::getFingerprint).containsOnly(alerts.get(0).getFingerprint());
  }

  @Test
  void eachList_isToldOfByItself() {
    run.listing(entered(NOON, LIST, ENOUGH));
    run.listing(entered(NOON, "solana/trending/24h", ENOUGH));

    assertThat(run.alerts()).extracting(Alert::getFingerprint).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void poolBelowItsFloors_firesNothing() {
    run.listing(entered(NOON, LIST, ENOUGH - 1));
    run.listing(entered(NOON, LIST, null));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void baseline_firesNothing() {
    var listing = entered(NOON, LIST, ENOUGH);
    listing.getOrigin().setBaseline(true);
    run.listing(listing);

    assertThat(run.alerts()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"moved", "left"})
  void otherActions_fireNothing(String action) {
    var listing = entered(NOON, LIST, ENOUGH);
    listing.setAction(action);
    run.listing(listing);

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void otherLists_fireNothing() {
    var listing = entered(NOON, "solana/new", ENOUGH);
    listing.setKind("new");
    run.listing(listing);

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void afterTheCooldown_nothingIsRemembered() {
    run.listing(entered(NOON, LIST, ENOUGH));

    run.tick(NOON.plus(COOLDOWN));

    assertThat(run.stored("newly-trending")).isZero();
  }
}

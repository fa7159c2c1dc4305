package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.baseline;
import static io.tidemark.stream.PoolChanges.change;
import static io.tidemark.stream.PoolChanges.created;
import static io.tidemark.stream.PoolChanges.entered;
import static io.tidemark.stream.PoolChanges.keyFrame;
import static io.tidemark.stream.PoolChanges.moved;
import static io.tidemark.stream.PoolChanges.removed;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.event.PoolListing;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event rules: they fire each time, not again during a cooldown, or once a resource is armed. */
class EventAlertTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration MINUTE = Duration.ofMinutes(1);

  static final String RULES = """
      rules:
        - name: new
          on: pool.changes
          after: appeared.kind == "created"
          within: 60m
          when: about.reserve_usd >= 5000.0
          annotations: { summary: "new pool {{ about.name }}" }
        - name: up
          on: pool.changes
          when: changed.price && price.base_token_price_usd > before.price.base_token_price_usd
          annotations: { summary: "up" }
        - name: twice
          on: pool.changes
          when: changed.price && price.base_token_price_usd >= 2.0 * before.price.base_token_price_usd
          cooldown: 10m
          annotations: { summary: "twice" }
        - name: trending
          on: pool.listing
          when: action == "entered"
          once: [list]
          cooldown: 6h
          digest_after_gap: 10m
          annotations: { summary: "{{ list }}" }
      """;

  private final TopologyRun run = TopologyRun.start();

  @BeforeEach
  void rules() {
    run.rules(NOON.minusSeconds(60), RULES);
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void eventAfterALongGapBetweenPolls_isMarkedForADigest() {
    var after = entered(at(901), "solana/trending/1h", 1.0);
    after.getOrigin().setPreviousObservedAt(at(300));
    var soon = entered(at(902), "solana/trending/5m", 1.0);
    soon.getOrigin().setPreviousObservedAt(at(302));
    run.listing(after);
    run.listing(soon);

    assertThat(run.alerts()).extracting(Alert::getAfterGap).containsExactly(true, false);
  }

  @Test
  void event_firesEachTimeItHappens() {
    run.change(moved(at(1), "1.0", "1.1"));
    run.change(moved(at(2), "1.1", "1.2"));
    run.change(moved(at(3), "1.2", "1.1"));

    assertThat(published("up")).containsExactly("fired 1", "fired 2");
  }

  @Test
  void olderEventThatArrivesLater_firesToo() {
    run.change(moved(at(2), "1.0", "1.1"));
    run.change(moved(at(1), "1.1", "1.2"));

    assertThat(published("up")).containsExactly("fired 2", "fired 1");
  }

  @Test
  void publishedAlerts_areCountedByRule() {
    run.change(moved(at(1), "1.0", "1.1"));
    run.change(moved(at(2), "1.1", "3.0"));
    run.change(moved(at(3), "3.0", "3.1"));

    assertThat(run.metric("published-total", "rule", "up")).isEqualTo(3);
    assertThat(run.metric("published-total", "rule", "twice")).isEqualTo(1);
  }

  @Test
  void listings_areNotStored() {
    var before = run.stored("alerts-memory");
    for (var second = 1; second <= 50; second++) {
      run.listing(entered(at(second), "solana/trending/" + second, 9_000.0));
    }
    var fired = run.alerts().size();

    assertThat(fired).isEqualTo(50);
    assertThat(run.stored("alerts-memory") - before).as("the alert instances, each with its timer, and the clock")
        .isLessThanOrEqualTo(2 * 50 + 1);
  }

  @Test
  void recordBefore_isKnownAfterARestartAndAfterAConditionOfTheSameKey() {
    run.rules(NOON, """
        rules:
          - name: worse
            on: pool.listing
            when: rank > before.rank
            annotations: { summary: "{{ before.rank }} to {{ rank }}" }
          - name: third
            on: pool.listing
            kind: condition
            when: rank == 3
            annotations: { summary: third }
        """);
    run.ticks(NOON, at(4));
    for (var rank : List.of(4, 3, 2)) {
      run.listing(ranked(10 - rank, rank));
    }
    run.restart();
    run.listing(ranked(9, 5));

    assertThat(run.alerts()).extracting(Alert::getSummary).containsExactly("2 to 5");
  }

  @Test
  void eventsOfOneMoment_haveIdsOfTheirOwn() {
    run.change(moved(at(1), "1.0", "1.1"));
    run.change(moved(at(1), "1.1", "1.2"));
    run.change(moved(at(1), "1.2", "1.3"));

    assertThat(run.alerts()).hasSize(3).extracting(Alert::getId).doesNotHaveDuplicates();
  }

  @Test
  void cooldown_keepsTheSameFromFiringAgain() {
    run.change(moved(at(0), "1.0", "2.0"));
    run.change(moved(at(599), "2.0", "4.0"));
    run.ticks(at(600), at(604));
    run.change(moved(at(605), "4.0", "8.0"));

    assertThat(published("twice")).containsExactly("fired 0", "fired 605");
  }

  @Test
  void cooldownThatIsMadeLonger_holdsForWhatFiredBefore() {
    run.change(moved(at(0), "1.0", "2.0"));
    run.rules(at(1), RULES.replace("cooldown: 10m", "cooldown: 2d"));
    for (var second = 2; second < 90_000; second += 10) {
      run.tick(at(second));
    }
    run.change(moved(at(90_000), "2.0", "4.0"));

    assertThat(published("twice")).containsExactly("fired 0");
  }

  @Test
  void cooldown_isOfEachFingerprint() {
    run.listing(entered(at(1), "solana/trending/5m", 10_000.0));
    run.listing(entered(at(2), "solana/trending/1h", 10_000.0));
    run.listing(entered(at(3), "solana/trending/5m", 10_000.0));

    assertThat(run.alerts()).extracting(Alert::getSummary).containsExactly("solana/trending/5m", "solana/trending/1h");
  }

  @Test
  void baselineAndKeyFrame_areNoEvents() {
    run.change(baseline(at(1), "1.0"));
    run.change(keyFrame(at(2), "1.0"));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void newPoolThatMeetsItsFloors_firesOnce() {
    run.change(created(at(0), MINUTE, 6_000.0));
    run.change(change(at(30), 9_000.0));

    assertThat(published("new")).containsExactly("fired 0");
  }

  @Test
  void newPoolBelowItsFloors_staysArmedUntilItMeetsThem() {
    run.change(created(at(0), MINUTE, 100.0));
    run.change(change(at(1_000), 4_999.0));
    run.change(change(at(2_000), 5_000.0));
    run.change(change(at(2_001), 6_000.0));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getEventTime()).isEqualTo(at(2_000));
      assertThat(alert.getEvidence()).extracting(Evidence::getObservedAt).containsExactly(at(0), at(2_000));
      assertThat(alert.getEvidence().getFirst().getValues())
          .containsEntry("appeared.kind", "created").containsEntry("about.reserve_usd", "100.0");
    });
  }

  @Test
  void newPoolThatMeetsItsFloorsTooLate_doesNotFire() {
    run.change(created(at(0), MINUTE, 100.0));
    for (var second = 5; second <= 3_600; second += 5) {
      run.tick(at(second));
    }
    run.change(change(at(3_601), 50_000.0));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void removedNewPool_isNotArmedInItsNextGeneration() {
    run.change(created(at(0), MINUTE, 100.0));
    run.change(removed(at(10), "not_found"));
    run.change(change(at(20), 50_000.0));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void newPoolThatIsRemoved_firesARuleThatReadsTheRemoval() {
    run.rules(at(-1), """
        rules:
          - name: short-lived
            on: pool.changes
            after: appeared.kind == "created"
            within: 1h
            when: changed.removed
            annotations: { summary: "{{ removed.reason }}" }
          - name: rich
            on: pool.changes
            after: appeared.kind == "created"
            within: 1h
            when: about.reserve_usd >= 5000.0
            annotations: { summary: "rich" }
        """);
    run.ticks(at(-1), at(5));
    run.change(created(at(10), MINUTE, 100.0));
    run.change(removed(at(20), "not_found"));

    assertThat(run.alerts()).extracting(Alert::getSummary).containsExactly("not_found");
  }

  @Test
  void observationBeforeTheEndOfWithin_firesIfItIsCommittedAfterIt() {
    run.change(created(at(0), MINUTE, 100.0));
    run.ticks(at(1), at(3_620));
    run.change(change(at(3_599), 50_000.0), at(3_621));

    assertThat(published("new")).containsExactly("fired 3599");
  }

  @Test
  void removedResourceThatIsArmedAgain_keepsCooldownAndPublishedAlert() {
    run.rules(at(-1), RULES.replace("within: 60m", "within: 60m\n    cooldown: 12h"));
    run.ticks(at(-1), at(5));
    run.change(created(at(10), MINUTE, 6_000.0));
    run.change(created(at(20), MINUTE, 100.0));
    run.change(removed(at(30), "not_found"));
    run.ticks(at(31), at(3_800));
    assertThat(run.alertsState().values()).as("for 24 hours").extracting(Alert::getRule).containsExactly("new");

    run.change(created(at(3_900), MINUTE, 6_000.0));

    assertThat(published("new")).containsExactly("fired 10");
  }

  private List<String> published(String rule) {
    return run.alerts().stream()
        .filter(alert -> alert.getRule().equals(rule))
        .map(alert -> alert.getStatus() + " " + (alert.getEventTime().getEpochSecond() - NOON.getEpochSecond()))
        .toList();
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }

  private static PoolListing ranked(int second, int rank) {
    var listing = entered(at(second), "solana/trending/1h", 9_000.0);
    listing.setRank(rank);
    return listing;
  }
}

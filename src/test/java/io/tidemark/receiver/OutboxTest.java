package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.NOON;
import static io.tidemark.receiver.Alerts.priceMoved;
import static io.tidemark.receiver.Alerts.sight;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which alerts leave when, on a clock of the test's own. */
class OutboxTest {

  private static final TopicPartition ALERTS = new TopicPartition("alerts", 0);
  private static final Reply DELIVERED = new Reply.Delivered();

  static final List<Format> OPEN_INCIDENTS =
      List.of(new PagerDuty(new PagerDuty.RoutingKey("R0"), Link.NONE), new Alertmanager(Link.NONE));

  private Outbox outbox = outbox(new Slack(Link.NONE));
  private Instant now = NOON.plusSeconds(5);
  private long offset;

  private static Outbox outbox(Format format) {
    Match match = new Match(Set.of(), "warning", Map.of());
    return new Outbox(new Receiver("tg", format, URI.create("https://example.org/hook"), match,
        new AtMost(2, Duration.ofMinutes(1)), Duration.ofMinutes(10), false), new Random(1));
  }

  private void add(String id) {
    outbox.add(priceMoved(id), ALERTS, offset++);
  }

  private void addEnd(String id) {
    Alert end = sight("resolved");
    end.setId(id);
    outbox.add(end, ALERTS, offset++);
  }

  private void addAfterGap(String id) {
    var alert = priceMoved(id);
    alert.setAfterGap(true);
    outbox.add(alert, ALERTS, offset++);
  }

  private void deliver(String id) {
    assertThat(outbox.next(now)).isInstanceOfSatisfying(
        Notice.One.class, one -> assertThat(one.alert().getId()).isEqualTo(id));
    outbox.answered(DELIVERED, now);
  }

  private Tally deliverDigest() {
    Notice.Many digest = (Notice.Many) outbox.next(now);
    outbox.answered(DELIVERED, now);
    return digest.tally();
  }

  @Test
  void alerts_leaveInTheirOrderAndAreDoneOneByOne() {
    add("a");
    add("b");
    deliver("a");
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 1L));
    deliver("b");
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 2L));
    assertThat(outbox.next(now)).isNull();
  }

  @Test
  void whatIsNotDelivered_isNotDoneAndTriedAgainUnderTheSameId() {
    add("a");
    Notice first = outbox.next(now);
    outbox.answered(new Reply.Later("503", null), now);

    assertThat(outbox.takeDone()).isEmpty();
    assertThat(outbox.next(now)).isNull();
    now = now.plusSeconds(1);
    assertThat(outbox.next(now)).extracting(Notice::id).isEqualTo(first.id());
  }

  @Test
  void receiverThatAsksForTime_isGivenIt() {
    add("a");
    outbox.next(now);
    outbox.answered(new Reply.Later("429", Duration.ofSeconds(90)), now);

    assertThat(outbox.next(now.plusSeconds(89))).isNull();
    assertThat(outbox.next(now.plusSeconds(90))).isNotNull();
  }

  @Test
  void refusedForGood_isPassedOver() {
    add("a");
    add("b");
    outbox.next(now);
    outbox.answered(new Reply.Refused("400"), now);

    deliver("b");
  }

  @Test
  void tenThousandAtOnce_areTwoMessagesAndOneDigest() {
    add("a");
    add("b");
    deliver("a");
    deliver("b");
    for (int i = 0; i < 9_998; i++) {
      add("more " + i);
      assertThat(outbox.next(now)).isNull();
    }
    assertThat(outbox.hasRoom()).isTrue();
    now = now.plusSeconds(60);
    Notice.Many digest = (Notice.Many) outbox.next(now);
    assertThat(digest.tally().all()).isEqualTo(9_998);
    assertThat(digest.tally().worst()).hasSize(10);
    outbox.answered(DELIVERED, now);
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 10_000L));
  }

  @Test
  void digestThatWasTried_keepsItsNameAndTakesNoMore() {
    add("a");
    add("b");
    deliver("a");
    deliver("b");
    add("c");
    add("d");
    outbox.next(now);
    now = now.plusSeconds(60);
    Notice first = outbox.next(now);
    outbox.answered(new Reply.Later("503", null), now);
    add("e");
    now = now.plusSeconds(5);
    Notice.Many again = (Notice.Many) outbox.next(now);

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.tally().all()).isEqualTo(2);
    outbox.answered(DELIVERED, now);
    deliver("e");
  }

  @Test
  void afterALongOutage_whatIsLateComesAsOneDigest() {
    add("a");
    add("b");
    add("c");
    now = NOON.plus(Duration.ofHours(1));
    Notice.Many digest = (Notice.Many) outbox.next(now);

    assertThat(digest.tally().late()).isEqualTo(3);
    outbox.answered(DELIVERED, now);
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 3L));
  }

  @ParameterizedTest
  @FieldSource("OPEN_INCIDENTS")
  void endsOfIncidents_areToldOneByOne_whateverBecomesADigest(Format format) {
    outbox = outbox(format);
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1");
    add("late 2");
    addEnd("end 3");
    addEnd("end 4");

    assertThat(deliverDigest().all()).isEqualTo(2);
    deliver("end 1");
    assertThat(outbox.next(now)).as("no more than at-most").isNull();
    now = now.plusSeconds(60);
    deliver("end 3");
    deliver("end 4");
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 5L));
  }

  @Test
  void whatADigestTold_isNotDoneBeforeTheEndsThatCameBeforeIt() {
    outbox = outbox(new PagerDuty(new PagerDuty.RoutingKey("R0"), Link.NONE));
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1");
    add("late 2");

    deliverDigest();
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 1L));
    assertThat(outbox.takeDone()).isEmpty();
    deliver("end 1");
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 3L));
  }

  @Test
  void endsForPeople_arePartOfTheDigest() {
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1");

    assertThat(deliverDigest().all()).isEqualTo(2);
  }

  @Test
  void alertsAfterAGap_waitForEachOtherAndAreOneDigest() {
    addAfterGap("a");
    assertThat(outbox.next(now)).isNull();
    now = now.plusSeconds(9);
    addAfterGap("b");
    outbox.add(sight("pending"), ALERTS, offset++);
    addAfterGap("c");
    add("d");
    assertThat(outbox.next(now)).isNull();
    now = now.plusSeconds(1);
    Notice.Many digest = (Notice.Many) outbox.next(now);

    assertThat(digest.tally().all()).isEqualTo(3);
    outbox.answered(DELIVERED, now);
    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 4L));
    deliver("d");
  }

  @Test
  void oneAlertAfterAGap_isToldByItself() {
    addAfterGap("a");
    assertThat(outbox.next(now)).isNull();
    now = now.plusSeconds(10);

    deliver("a");
  }

  @Test
  void whatNobodyWants_isDoneWhenWhatCameBeforeItIs() {
    add("a");
    outbox.add(sight("pending"), ALERTS, offset++);
    outbox.add(null, ALERTS, offset++);
    assertThat(outbox.takeDone()).isEmpty();
    deliver("a");

    assertThat(outbox.takeDone()).containsExactly(Map.entry(ALERTS, 3L));
  }
}

package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.NOON;
import static io.tidemark.receiver.Alerts.priceMoved;
import static io.tidemark.receiver.Alerts.sight;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Which alerts leave when, on a clock of the test's own. */
class OutboxTest {

  private static final TopicPartition ALERTS = new TopicPartition("alerts", 0);
  private static final Reply DELIVERED = new Reply.Delivered();

  private final Outbox outbox = new Outbox(receiver(new AtMost(2, Duration.ofMinutes(1))), new Random(1));
  private Instant now = NOON.plusSeconds(5);
  private long offset;

  private static Receiver receiver(AtMost atMost) {
    return new Receiver("tg", new Slack(Link.NONE), URI.create("https://example.org/hook"),
        new Match(Set.of(), "warning", Map.of()), atMost, Duration.ofMinutes(10), false);
  }

  private void add(String id) {
    outbox.add(priceMoved(id), ALERTS, offset++);
  }

  private void addAfterGap(String id) {
    var alert = priceMoved(id);
    alert.setAfterGap(true);
    outbox.add(alert, ALERTS, offset++);
  }

  private void deliver(String id) {
    assertThat(outbox.next(now)).extracting(Notice::id).isEqualTo(id);
    outbox.answered(DELIVERED, now);
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
    outbox.next(now);
    outbox.answered(new Reply.Later("503", null), now);

    assertThat(outbox.takeDone()).isEmpty();
    assertThat(outbox.next(now)).isNull();
    now = now.plusSeconds(1);
    assertThat(outbox.next(now)).extracting(Notice::id).isEqualTo("a");
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

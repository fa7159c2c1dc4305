package io.tidemark.receiver;

import static io.tidemark.receiver.Alerts.NOON;
import static io.tidemark.receiver.Alerts.coverageLost;
import static io.tidemark.receiver.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.receiver.WebhookClient.DeliveryResult;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which alerts are sent when, on a simulated clock. */
class NotificationQueueTest {

  private static final TopicPartition ALERTS = new TopicPartition("alerts", 0);
  private static final DeliveryResult DELIVERED = new DeliveryResult.Delivered();

  static final List<NotificationFormat> OPEN_INCIDENTS =
      List.of(new PagerDutyFormat(new PagerDutyFormat.RoutingKey("R0"), NotificationLinks.NONE),
          new AlertmanagerFormat(NotificationLinks.NONE));

  private NotificationQueue queue = queue(new SlackFormat(NotificationLinks.NONE));
  private Instant now = NOON.plusSeconds(5);
  private long offset;

  private static NotificationQueue queue(NotificationFormat format) {
    AlertMatcher match = new AlertMatcher(Set.of(), "warning", Map.of());
    return new NotificationQueue(new Receiver("tg", format, URI.create("https://example.org/hook"), match,
        new NotificationLimit(2, Duration.ofMinutes(1)), Duration.ofMinutes(10), false), new Random(1));
  }

  private void add(String id) {
    queue.add(priceMoved(id), ALERTS, offset++);
  }

  private void addEnd(String id) {
    Alert end = coverageLost("resolved");
    end.setId(id);
    queue.add(end, ALERTS, offset++);
  }

  private void addAfterGap(String id) {
    var alert = priceMoved(id);
    alert.setAfterGap(true);
    queue.add(alert, ALERTS, offset++);
  }

  private void deliver(String id) {
    assertThat(queue.next(now)).isInstanceOfSatisfying(
        Notification.SingleAlert.class, one -> assertThat(one.alert().getId()).isEqualTo(id));
    queue.completed(DELIVERED, now);
  }

  private Notification.AlertDigest deliverDigest() {
    Notification.AlertDigest digest = (Notification.AlertDigest) queue.next(now);
    queue.completed(DELIVERED, now);
    return digest;
  }

  @Test
  void alerts_areSentInOrderAndFinishedOneByOne() {
    add("a");
    add("b");
    deliver("a");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 1L));
    deliver("b");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 2L));
    assertThat(queue.next(now)).isNull();
  }

  @Test
  void undeliveredAlert_isNotFinishedAndSentAgainUnderTheSameId() {
    add("a");
    Notification first = queue.next(now);
    queue.completed(new DeliveryResult.RetryLater("503", null), now);

    assertThat(queue.takeCommittable()).isEmpty();
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(1);
    assertThat(queue.next(now)).extracting(Notification::id).isEqualTo(first.id());
  }

  @Test
  void retryAfterOfTheReceiver_isObeyed() {
    add("a");
    queue.next(now);
    queue.completed(new DeliveryResult.RetryLater("429", Duration.ofSeconds(90)), now);

    assertThat(queue.next(now.plusSeconds(89))).isNull();
    assertThat(queue.next(now.plusSeconds(90))).isNotNull();
  }

  @Test
  void rejectedAlert_isSkipped() {
    add("a");
    add("b");
    queue.next(now);
    queue.completed(new DeliveryResult.RejectedByReceiver("400"), now);

    deliver("b");
  }

  @Test
  void tenThousandAtOnce_areTwoNotificationsAndOneDigest() {
    add("a");
    add("b");
    deliver("a");
    deliver("b");
    for (int i = 0; i < 9_998; i++) {
      add("more " + i);
      assertThat(queue.next(now)).isNull();
    }
    assertThat(queue.hasCapacity()).isTrue();
    now = now.plusSeconds(60);
    Notification.AlertDigest digest = (Notification.AlertDigest) queue.next(now);
    assertThat(digest.alerts()).isEqualTo(9_998);
    assertThat(digest.worst()).hasSize(10);
    queue.completed(DELIVERED, now);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 10_000L));
  }

  /** 81 alerts a minute for an hour, and two notifications a minute. */
  @Test
  void floodForAnHour_countsEachAlertOnceWithinTheLimit() {
    var start = now;
    var sent = new ArrayList<Instant>();
    var notified = 0;
    for (int second = 0; second < 3_700; second++) {
      now = start.plusSeconds(second);
      for (int i = 0; second < 3_600 && i < (second % 20 == 0 ? 27 : 0); i++) {
        add(second + "/" + i);
      }
      var notification = queue.next(now);
      if (notification != null) {
        notified += notification instanceof Notification.AlertDigest digest ? digest.alerts() : 1;
        sent.add(now);
        queue.completed(DELIVERED, now);
      }
    }

    assertThat(notified).isEqualTo(81 * 60);
    assertThat(sent).allSatisfy(at -> assertThat(
        sent.stream().filter(each -> !each.isBefore(at) && each.isBefore(at.plusSeconds(60))))
        .hasSizeLessThanOrEqualTo(2));
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 81 * 60L));
  }

  @Test
  void attemptedDigest_keepsItsIdAndAcceptsNoMoreAlerts() {
    add("a");
    add("b");
    deliver("a");
    deliver("b");
    add("c");
    add("d");
    queue.next(now);
    now = now.plusSeconds(60);
    Notification first = queue.next(now);
    queue.completed(new DeliveryResult.RetryLater("503", null), now);
    add("e");
    now = now.plusSeconds(5);
    Notification.AlertDigest again = (Notification.AlertDigest) queue.next(now);

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.alerts()).isEqualTo(2);
    queue.completed(DELIVERED, now);
    deliver("e");
  }

  @Test
  void lateAlertsAfterAnOutage_areOneDigest() {
    add("a");
    add("b");
    add("c");
    now = NOON.plus(Duration.ofHours(1));
    Notification.AlertDigest digest = (Notification.AlertDigest) queue.next(now);

    assertThat(digest.late()).isEqualTo(3);
    queue.completed(DELIVERED, now);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 3L));
  }

  @ParameterizedTest
  @FieldSource("OPEN_INCIDENTS")
  void resolvedIncidents_areSentOneByOne_besideADigest(NotificationFormat format) {
    queue = queue(format);
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1");
    add("late 2");
    addEnd("end 3");
    addEnd("end 4");

    assertThat(deliverDigest().alerts()).isEqualTo(2);
    deliver("end 1");
    assertThat(queue.next(now)).as("no more than at-most").isNull();
    now = now.plusSeconds(60);
    deliver("end 3");
    deliver("end 4");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 5L));
  }

  @Test
  void deliveredDigest_isNotCommittedBeforeEarlierResolvedAlerts() {
    queue = queue(new PagerDutyFormat(new PagerDutyFormat.RoutingKey("R0"), NotificationLinks.NONE));
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1");
    add("late 2");

    deliverDigest();
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 1L));
    assertThat(queue.takeCommittable()).isEmpty();
    deliver("end 1");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 3L));
  }

  @Test
  void resolvedAlertsForChats_arePartOfTheDigest() {
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1");

    assertThat(deliverDigest().alerts()).isEqualTo(2);
  }

  @Test
  void alertsAfterAGap_waitForEachOtherAndAreOneDigest() {
    addAfterGap("a");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(9);
    addAfterGap("b");
    queue.add(coverageLost("pending"), ALERTS, offset++);
    addAfterGap("c");
    add("d");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(1);
    Notification.AlertDigest digest = (Notification.AlertDigest) queue.next(now);

    assertThat(digest.alerts()).isEqualTo(3);
    queue.completed(DELIVERED, now);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 4L));
    deliver("d");
  }

  @Test
  void singleAlertAfterAGap_isSentAlone() {
    addAfterGap("a");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(10);

    deliver("a");
  }

  @Test
  void unmatchedAlert_isFinishedWithThoseBeforeIt() {
    add("a");
    queue.add(coverageLost("pending"), ALERTS, offset++);
    queue.add(null, ALERTS, offset++);
    assertThat(queue.takeCommittable()).isEmpty();
    deliver("a");

    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 3L));
  }
}

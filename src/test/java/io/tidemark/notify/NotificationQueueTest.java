package io.tidemark.notify;

import static io.tidemark.notify.Alerts.NOON;
import static io.tidemark.notify.Alerts.coverageLost;
import static io.tidemark.notify.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Secret;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.notify.Receivers.DeliveryProgress;
import io.tidemark.notify.WebhookClient.DeliveryResult;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which alerts are sent when, on a simulated clock. */
class NotificationQueueTest {

  private static final TopicPartition ALERTS = new TopicPartition("alerts", 0);
  private static final DeliveryResult DELIVERED = new DeliveryResult.Delivered();

  static final List<NotificationFormat> OPEN_INCIDENTS =
      List.of(new PagerDutyFormat(new Secret("R0"), NotificationLinks.NONE),
          new AlertmanagerFormat(NotificationLinks.NONE));

  private NotificationQueue queue = queue(new SlackFormat(NotificationLinks.NONE));
  private Instant now = NOON.plusSeconds(5);
  private long offset;

  /** Of the record of an alert. */
  private static final int BYTES = 2_000;

  @Test
  void queueOfLargeAlerts_stopsReadingBeforeOneOfSmallOnes() {
    var fits = NotificationQueue.CAPACITY_BYTES / RecordLimits.RECORD;
    IntStream.range(0, fits - 1).forEach(each -> addLarge("a" + each));
    assertThat(queue.hasCapacity()).isTrue();

    addLarge("the last that fits");
    assertThat(queue.hasCapacity()).isFalse();
  }

  @Test
  void alertsThatTheReceiverDoesNotMatch_needNoPlaceBehindARejectedAlert() {
    addOther("a");
    IntStream.range(0, NotificationQueue.CAPACITY)
        .forEach(each -> queue.add(coverageLost("pending"), ALERTS, offset++, RecordLimits.RECORD, null));
    assertThat(queue.hasCapacity()).isTrue();

    addOther("b");
    assertThat(sent(Duration.ofMinutes(1), id -> id.startsWith("b"), REJECTED)).containsExactly("b/fired");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, offset));
  }

  private void addLarge(String id) {
    queue.add(priceMoved(id), ALERTS, offset++, RecordLimits.RECORD, null);
  }

  private static NotificationQueue queue(NotificationFormat format) {
    AlertMatcher match = new AlertMatcher(Set.of(), "warning", Map.of());
    return new NotificationQueue(new Receiver("tg", format, URI.create("https://example.org/hook"), match,
        new NotificationLimit(2, Duration.ofMinutes(1)), Duration.ofMinutes(10), false), new Random(1));
  }

  private void add(String id) {
    queue.add(priceMoved(id), ALERTS, offset++, BYTES, null);
  }

  private void addEnd(String id) {
    addEnd(id, coverageLost("resolved").getFingerprint());
  }

  private void addEnd(String id, String fingerprint) {
    Alert end = coverageLost("resolved");
    end.setId(id);
    end.setFingerprint(fingerprint);
    queue.add(end, ALERTS, offset++, BYTES, null);
  }

  private void addAfterGap(String id) {
    var alert = priceMoved(id);
    alert.setAfterGap(true);
    queue.add(alert, ALERTS, offset++, BYTES, null);
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
    queue.completed(SLOW_DOWN, now);

    assertThat(queue.next(now.plusSeconds(89))).isNull();
    assertThat(queue.next(now.plusSeconds(90))).isNotNull();
  }

  @Test
  void receiverThatAsksForPauses_losesNoDigest() {
    addAfterGap("a");
    addAfterGap("b");
    addOther("c");
    queue.next(now);
    now = now.plusSeconds(10);
    for (int i = 0; i < 8; i++) {
      var result = queue.next(now) instanceof Notification.AlertDigest ? SLOW_DOWN : DELIVERED;
      assertThat(queue.completed(result, now)).isNull();
      now = now.plusSeconds(90);
    }

    assertThat(queue.next(now)).isInstanceOf(Notification.AlertDigest.class);
    assertThat(queue.completed(FAILED, now)).as("the first failure without a pause").isNull();
    now = now.plusSeconds(90);
    assertThat(deliverDigest().alerts()).isEqualTo(2);
  }

  @Test
  void receiverThatAsksForAPause_keepsTheAlertThatIsSetAside_andGetsNothingElse() {
    addOther("a");
    addOther("b");
    sent(Duration.ofMinutes(1), id -> id.startsWith("b"), FAILED);
    now = now.plus(Duration.ofMinutes(30)); // later than deliver-within
    assertThat(queue.next(now)).extracting(Notification::id).isEqualTo("a/fired");
    assertThat(queue.completed(SLOW_DOWN, now)).isNull();
    addOther("c");

    assertThat(queue.aside(ALERTS)).containsExactly(0L);
    assertThat(queue.next(now.plusSeconds(89))).isNull();
    now = now.plusSeconds(90);
    deliver("c");
  }

  private static final DeliveryResult SLOW_DOWN = new DeliveryResult.RetryLater("429", Duration.ofSeconds(90));
  private static final DeliveryResult REJECTED = new DeliveryResult.RejectedByReceiver("400");
  private static final DeliveryResult FAILED = new DeliveryResult.RetryLater("500", null);

  private void addOther(String id) {
    Alert alert = priceMoved(id);
    alert.setFingerprint(id);
    alert.setEventTime(now);
    queue.add(alert, ALERTS, offset++, BYTES, null);
  }

  private void addFiring(String fingerprint) {
    Alert alert = priceMoved(fingerprint);
    alert.setStatus("firing");
    alert.setFingerprint(fingerprint);
    alert.setEventTime(now);
    queue.add(alert, ALERTS, offset++, BYTES, null);
  }

  /** Sends what is due for a while, to a receiver that decides by the alert's id; returns the ids that it took. */
  private List<String> sent(Duration length, Predicate<String> takes, DeliveryResult otherwise) {
    var taken = new ArrayList<String>();
    for (var end = now.plus(length); now.isBefore(end); now = now.plusSeconds(1)) {
      var notification = queue.next(now);
      if (notification != null) {
        var takesIt = takes.test(notification.id());
        queue.completed(takesIt ? DELIVERED : otherwise, now);
        if (takesIt) {
          taken.add(notification.id());
        }
      }
    }
    return taken;
  }

  @Test
  void rejectedAlert_isGivenUp_onceAnotherWasTaken() {
    addOther("a");
    addOther("b");

    assertThat(sent(Duration.ofMinutes(1), id -> id.startsWith("b"), REJECTED)).containsExactly("b/fired");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 2L));
    assertThat(queue.aside(ALERTS)).isEmpty();
    assertThat(queue.acceptsNothing()).isFalse();
  }

  static Stream<Arguments> formatsAndFailures() {
    return Stream.concat(OPEN_INCIDENTS.stream(), Stream.of(new SlackFormat(NotificationLinks.NONE)))
        .flatMap(format -> Stream.of(REJECTED, FAILED).map(failure -> Arguments.of(format, failure)));
  }

  @ParameterizedTest
  @MethodSource("formatsAndFailures")
  void receiverThatTakesNothing_losesNoAlert(NotificationFormat format, DeliveryResult failure) {
    queue = queue(format);
    IntStream.range(0, 5).forEach(i -> addOther("a" + i));

    assertThat(sent(Duration.ofMinutes(5), id -> false, failure)).isEmpty();
    assertThat(queue.acceptsNothing()).isTrue();
    assertThat(queue.takeCommittable()).isEmpty();
    assertThat(sent(Duration.ofMinutes(10), id -> true, failure).stream().filter(id -> !id.startsWith("digest")))
        .containsAnyOf("a0/fired", "a1/fired");
    assertThat(queue.acceptsNothing()).isFalse();
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 5L));
  }

  @ParameterizedTest
  @MethodSource("formatsAndFailures")
  void endOfAnIncident_isTriedUntilItIsTaken_andBlocksNothing(NotificationFormat format, DeliveryResult failure) {
    queue = queue(format);
    addEnd("end");
    var refused = queue.next(now).id();
    IntStream.range(0, 3).forEach(i -> addOther("a" + i));

    assertThat(sent(Duration.ofMinutes(5), id -> !id.equals(refused), failure)).isNotEmpty().doesNotContain(refused);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 4L));
    var isKept = format.tracksResolution() || failure.equals(FAILED);
    assertThat(queue.aside(ALERTS)).isEqualTo(isKept ? Set.of(0L) : Set.of());
    now = now.plus(Duration.ofHours(2)); // later than deliver-within
    assertThat(sent(Duration.ofMinutes(1), id -> true, failure).contains(refused)).isEqualTo(isKept);
    assertThat(queue.aside(ALERTS)).isEmpty();
  }

  /** The alert a fails while b is delivered, so that a is set aside. */
  private void setAside() {
    addOther("a");
    addOther("b");
    sent(Duration.ofMinutes(1), id -> id.startsWith("b"), FAILED);
    assertThat(queue.aside(ALERTS)).containsExactly(0L);
  }

  @Test
  void alertThatIsSetAside_endsWithinDeliverWithin() {
    setAside();

    assertThat(sent(Duration.ofMinutes(30), id -> false, FAILED)).isEmpty();
    assertThat(queue.aside(ALERTS)).isEmpty();
    assertThat(queue.acceptsNothing()).as("the receiver is not blamed").isFalse();
  }

  /** As after its token was revoked. */
  @Test
  void alertThatIsSetAside_isKept_whileTheReceiverRejectsEverything() {
    setAside();

    assertThat(sent(Duration.ofMinutes(5), id -> false, REJECTED)).isEmpty();

    assertThat(sent(Duration.ofMinutes(4), id -> true, REJECTED)).containsExactly("a/fired");
  }

  @Test
  void alertOfTheSameFingerprint_replacesTheOneThatIsSetAside() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addEnd("end");
    addOther("a");
    sent(Duration.ofMinutes(1), id -> id.startsWith("a"), REJECTED);
    add("again"); // of the fingerprint of "end": resolving now would end it

    deliver("again");
    assertThat(queue.aside(ALERTS)).isEmpty();
    assertThat(sent(Duration.ofHours(1), id -> true, REJECTED)).isEmpty();
  }

  @Test
  void eventThatIsSetAside_isNotReplacedByTheNextOne() {
    addOther("a");
    addOther("b");
    sent(Duration.ofMinutes(1), id -> id.startsWith("b"), FAILED);
    var next = priceMoved("next");
    next.setFingerprint("a");
    next.setEventTime(now);
    queue.add(next, ALERTS, offset++, BYTES, null);

    assertThat(sent(Duration.ofMinutes(1), id -> id.startsWith("next"), FAILED)).containsExactly("next/fired");
    assertThat(queue.aside(ALERTS)).containsExactly(0L);
    assertThat(sent(Duration.ofMinutes(30), id -> true, FAILED)).containsExactly("a/fired");
  }

  @Test
  void digest_replacesAnAlertOfTheSameConditionThatIsSetAside() {
    addFiring("a");
    addOther("b");
    sent(Duration.ofMinutes(1), id -> id.startsWith("b"), FAILED);
    assertThat(queue.aside(ALERTS)).containsExactly(0L);
    var newer = priceMoved("newer");
    newer.setFingerprint("a");
    newer.setAfterGap(true);
    queue.add(newer, ALERTS, offset++, BYTES, null);
    addAfterGap("c");

    assertThat(sent(Duration.ofMinutes(1), id -> id.startsWith("digest"), FAILED)).hasSize(1);
    assertThat(queue.aside(ALERTS)).isEmpty();
    assertThat(sent(Duration.ofMinutes(30), id -> true, FAILED)).isEmpty();
  }

  @Test
  void tooManySetAside_theOldestIsGivenUpAndNamed() {
    queue.resume(ALERTS, 20, LongStream.range(0, 20).boxed().toList());
    IntStream.range(0, 22).forEach(i -> addOther("a" + i));
    var givenUp = new ArrayList<String>();
    for (var end = now.plus(Duration.ofMinutes(8)); now.isBefore(end); now = now.plusSeconds(1)) {
      var notification = queue.next(now);
      if (notification != null) {
        givenUp.add(queue.completed(notification.id().equals("a21/fired") ? DELIVERED : FAILED, now));
      }
    }

    assertThat(givenUp).filteredOn(Objects::nonNull).containsExactly("a0/fired");
    assertThat(queue.aside(ALERTS)).hasSize(20).doesNotContain(0L).contains(20L);
  }

  @Test
  void nextSession_sendsWhatWasSetAsideAndNothingElseAgain() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    queue.resume(ALERTS, 3, List.of(1L));
    add("delivered 0");
    addEnd("end 1");
    add("delivered 2");
    addOther("new 3");

    assertThat(sent(Duration.ofMinutes(2), id -> true, REJECTED)).containsExactlyInAnyOrder("end 1/resolved",
        "new 3/fired");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 4L));
    assertThat(queue.aside(ALERTS)).isEmpty();
  }

  @Test
  void waiting_countsWhatIsSetAsideAndInADigest() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    assertThat(queue.oldest()).isNull();
    queue.resume(ALERTS, 2, List.of(1L));
    add("delivered 0");
    var end = coverageLost("resolved");
    end.setFingerprint("of another incident");
    queue.add(end, ALERTS, offset++, BYTES, null);
    now = NOON.plus(Duration.ofHours(1));
    queue.next(now);
    queue.completed(FAILED, now);
    add("late 2");
    add("late 3");

    assertThat(queue.next(now)).isInstanceOf(Notification.AlertDigest.class);
    assertThat(queue.waiting()).isEqualTo(3);
    assertThat(queue.oldest()).isEqualTo(NOON.plusSeconds(4));
    queue.completed(DELIVERED, now);
    assertThat(queue.waiting()).isEqualTo(1);
  }

  /** The runbook of TidemarkReceiverNotAccepting says how to skip it. */
  @Test
  void resolvedThatIsRejected_blocksWhileNothingComesAfterIt() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addEnd("end");

    assertThat(sent(Duration.ofDays(8), id -> false, REJECTED)).isEmpty();
    assertThat(queue.waiting()).isEqualTo(1);
    assertThat(queue.acceptsNothing()).isTrue();
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
  void digestAfterARestart_hasTheSameIdOnlyForTheSameAlerts() {
    var first = digestIdOfLateAlerts(2);

    assertThat(digestIdOfLateAlerts(2)).isEqualTo(first);
    assertThat(digestIdOfLateAlerts(3)).isNotEqualTo(first);
  }

  private String digestIdOfLateAlerts(int alerts) {
    queue = queue(new SlackFormat(NotificationLinks.NONE));
    offset = 7;
    IntStream.range(0, alerts).forEach(each -> add("late " + each));
    now = NOON.plus(Duration.ofHours(1));
    return deliverDigest().id();
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

  /** A silence that ends publishes firing conditions again, with the times at which they fired. */
  @ParameterizedTest
  @FieldSource("OPEN_INCIDENTS")
  void conditionsThatFiredLongAgo_areIncidentsOfTheirOwn(NotificationFormat format) {
    queue = queue(format);
    addFiring("a");
    addFiring("b");
    now = NOON.plus(Duration.ofHours(9));

    assertThat(sent(Duration.ofMinutes(2), id -> true, FAILED)).containsExactly("a/firing", "b/firing");
  }

  @ParameterizedTest
  @FieldSource("OPEN_INCIDENTS")
  void digestOfLateEvents_leavesOutConditionsThatFiredLongAgo(NotificationFormat format) {
    queue = queue(format);
    add("late 0");
    addFiring("a");
    add("late 2");
    addFiring("b");
    now = NOON.plus(Duration.ofHours(9));

    assertThat(deliverDigest().alerts()).isEqualTo(2);
    assertThat(queue.takeCommittable()).as("a waits").containsExactly(Map.entry(ALERTS, 1L));
    assertThat(sent(Duration.ofMinutes(2), id -> true, FAILED)).containsExactly("a/firing", "b/firing");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 4L));
  }

  /** As in the first attempt after a silence of days, of which the receiver answers 500. */
  @Test
  void conditionThatFiredLongAgo_isKeptForSevenDaysAfterItWasSetAside() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addFiring("a");
    now = NOON.plus(Duration.ofDays(9));
    addOther("b");
    sent(Duration.ofMinutes(1), id -> id.startsWith("b"), FAILED);
    assertThat(queue.aside(ALERTS)).containsExactly(0L);

    sent(Duration.ofDays(6), id -> false, FAILED);
    assertThat(queue.aside(ALERTS)).containsExactly(0L);
    sent(Duration.ofDays(2), id -> false, FAILED);
    assertThat(queue.aside(ALERTS)).isEmpty();
  }

  @Test
  void rejectedEndOfAnIncident_givesItsPlaceUp_onceTheReceiverHasAcceptedOthersForLong() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addEnd("end");
    addOther("a");
    sent(Duration.ofMinutes(1), id -> id.startsWith("a"), REJECTED);
    assertThat(sent(Duration.ofHours(2), id -> false, REJECTED)).isEmpty();
    assertThat(queue.aside(ALERTS)).as("the receiver may reject everything").containsExactly(0L);

    addOther("b");
    sent(Duration.ofMinutes(30), id -> id.startsWith("b"), REJECTED);
    assertThat(queue.aside(ALERTS)).isEmpty();
  }

  /** As when its token is revoked after the alert was set aside for another reason. */
  @Test
  void endOfAnIncidentThatIsRejectedOnce_isKept() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addEnd("end");
    addOther("a");
    sent(Duration.ofMinutes(1), id -> id.startsWith("a"), FAILED);
    sent(Duration.ofHours(1), id -> false, FAILED);
    addOther("b");
    sent(Duration.ofSeconds(5), id -> id.startsWith("b"), FAILED);

    assertThat(sent(Duration.ofHours(1), id -> false, REJECTED)).isEmpty();
    assertThat(queue.aside(ALERTS)).containsExactly(0L);
    assertThat(sent(Duration.ofMinutes(20), id -> true, REJECTED)).containsExactly("end/resolved");
  }

  @ParameterizedTest
  @FieldSource("OPEN_INCIDENTS")
  void resolvedIncidents_areSentOneByOne_besideADigest(NotificationFormat format) {
    queue = queue(format);
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1", "incident of end 1");
    add("late 2");
    addEnd("end 3", "incident of end 3");
    addEnd("end 4", "incident of end 4");

    assertThat(deliverDigest().alerts()).isEqualTo(2);
    deliver("end 1");
    assertThat(queue.next(now)).as("no more than at-most").isNull();
    now = now.plusSeconds(60);
    deliver("end 3");
    deliver("end 4");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 5L));
  }

  private void addResolved(int incidents) {
    IntStream.range(0, incidents).forEach(each -> {
      var end = coverageLost("resolved");
      end.setId("end " + each);
      end.setFingerprint("incident " + each);
      queue.add(end, ALERTS, offset++, BYTES, null);
    });
  }

  /** As when a rule is dropped that fired on each pool. */
  @ParameterizedTest
  @FieldSource("OPEN_INCIDENTS")
  void alertBehindManyResolvedIncidents_waitsForOneOfThem(NotificationFormat format) {
    queue = queue(format);
    addResolved(NotificationQueue.CAPACITY);
    assertThat(queue.hasCapacity()).isTrue();
    addOther("critical");

    deliver("end 0");
    deliver("critical");
    assertThat(queue.takeCommittable()).as("end 1 waits").containsExactly(Map.entry(ALERTS, 1L));
    assertThat(sent(Duration.ofHours(9), id -> true, FAILED)).hasSize(999);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 1_001L));
  }

  @Test
  void manyResolvedIncidents_stopReadingInTheEnd() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    IntStream.range(0, NotificationQueue.RESOLVED_CAPACITY)
        .forEach(each -> queue.add(coverageLost("resolved"), ALERTS, offset++, 1, null));

    assertThat(queue.hasCapacity()).isFalse();
  }

  @Test
  void floodBehindResolvedIncidents_isADigestThatTakesTurnsWithThem() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addResolved(5);
    deliver("end 0");
    deliver("end 1");
    IntStream.range(0, 100).forEach(each -> addOther("a" + each));
    assertThat(queue.next(now)).isNull();

    now = now.plusSeconds(60);
    assertThat(deliverDigest().alerts()).isEqualTo(100);
    addOther("b0");
    addOther("b1");
    deliver("end 2");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(60);
    assertThat(deliverDigest().alerts()).isEqualTo(2);
    deliver("end 3");
  }

  @Test
  void conditionThatFiresAgain_isSentAfterItsResolvedIncident() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addResolved(5);
    addFiring("incident 3");

    deliver("end 0");
    deliver("end 3");
    now = now.plusSeconds(60);
    deliver("incident 3");
    deliver("end 1");
  }

  @Test
  void conditionThatFiresAgainInAFlood_isSentAfterItsResolvedIncident() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addResolved(3);
    deliver("end 0");
    deliver("end 1");
    IntStream.range(0, 50).forEach(each -> addOther("a" + each));
    addFiring("incident 2");
    IntStream.range(50, 100).forEach(each -> addOther("a" + each));
    assertThat(queue.next(now)).isNull();

    now = now.plusSeconds(60);
    assertThat(deliverDigest().alerts()).as("all but that of the resolved incident").isEqualTo(100);
    deliver("end 2");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(60);
    deliver("incident 2");
  }

  @Test
  void alertsAfterAGapBehindResolvedIncidents_areOneDigest() {
    queue = queue(OPEN_INCIDENTS.getFirst());
    addResolved(5);
    addAfterGap("a");
    addAfterGap("b");

    deliver("end 0");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(10);
    assertThat(deliverDigest().alerts()).isEqualTo(2);
  }

  @Test
  void deliveredDigest_isNotCommittedBeforeEarlierResolvedAlerts() {
    queue = queue(new PagerDutyFormat(new Secret("R0"), NotificationLinks.NONE));
    now = NOON.plus(Duration.ofHours(1));
    add("late 0");
    addEnd("end 1", "incident of end 1");
    add("late 2");

    deliverDigest();
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 1L));
    assertThat(queue.takeCommittable()).isEmpty();
    deliver("end 1");
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 3L));
  }

  @Test
  void failingDigest_isNotCommittedWithAnAlertThatWasDeliveredBehindIt() {
    add("late 0");
    add("late 1");
    now = NOON.plus(Duration.ofHours(1));
    assertThat(queue.next(now)).isInstanceOf(Notification.AlertDigest.class);
    queue.completed(FAILED, now);
    addOther("a");
    queue.add(coverageLost("pending"), ALERTS, offset++, BYTES, null);

    var taken = new ArrayList<String>();
    for (var second = 0; taken.isEmpty() && second < 60; second++) {
      taken.addAll(sent(Duration.ofSeconds(1), id -> id.startsWith("a"), FAILED));
    }
    assertThat(taken).containsExactly("a/fired");
    assertThat(queue.waiting()).as("the digest").isEqualTo(2);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 0L));

    assertThat(sent(Duration.ofMinutes(5), id -> true, FAILED)).hasSize(1);
    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 4L));
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
    queue.add(coverageLost("pending"), ALERTS, offset++, BYTES, null);
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
  void alertsAfterAGap_betweenOthers_waitOnlyOnce() {
    addAfterGap("a");
    addOther("b");
    addAfterGap("c");
    assertThat(queue.next(now)).isNull();
    now = now.plusSeconds(10);
    deliver("a");
    deliver("b");
    now = now.plusSeconds(60);

    deliver("c");
    assertThat(queue.next(now)).isNull();
    addAfterGap("d");
    assertThat(queue.next(now)).as("the next gap").isNull();
    now = now.plusSeconds(10);
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
    queue.add(coverageLost("pending"), ALERTS, offset++, BYTES, null);
    queue.add(null, ALERTS, offset++, BYTES, null);
    assertThat(queue.takeCommittable()).as("not beyond the alert that waits").containsExactly(Map.entry(ALERTS, 0L));
    deliver("a");

    assertThat(queue.takeCommittable()).containsExactly(Map.entry(ALERTS, 3L));
  }

  static final List<DeliveryProgress> PROGRESS = List.of(
      new DeliveryProgress("", "", List.of()),
      new DeliveryProgress("2026-11-21T12:00:00Z", "", List.of()),
      new DeliveryProgress("", "503: maintenance", List.of()),
      new DeliveryProgress("2026-11-21T12:00:00Z", "400: [1] is wrong", List.of(7L)),
      new DeliveryProgress("", "400", List.of(7L, 81L)),
      new DeliveryProgress("2026-11-21T12:00:00Z", "", List.of(7L, 81L)));

  @ParameterizedTest
  @FieldSource("PROGRESS")
  void progress_isReadAsItWasWritten(DeliveryProgress progress) {
    assertThat(DeliveryProgress.of(progress.text())).isEqualTo(progress);
  }
}

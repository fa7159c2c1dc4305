package io.tidemark.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.poll.AgeIndex;
import io.tidemark.capture.poll.RemainingBudget;
import io.tidemark.capture.poll.RemainingBudget.KeyRemaining;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.poll.Schedule.PollCause;
import io.tidemark.capture.poll.Schedule.PollReason;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.event.Appeared;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.Extra;
import io.tidemark.event.ExtraChange;
import io.tidemark.event.KeyReport;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.Rejection;
import io.tidemark.event.Suppressed;
import io.tidemark.event.TargetRetry;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.notify.AlertMatcher;
import io.tidemark.notify.DeliveryListener.DeliveryState;
import io.tidemark.notify.NotificationLimit;
import io.tidemark.notify.NotificationLinks;
import io.tidemark.notify.Receiver;
import io.tidemark.notify.SlackFormat;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SourceMetricsTest {
  static {
    AvroSettings.apply();
  }

  static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  static final Query.NewPools QUERY = new Query.NewPools("eth", Set.of(), 1, false);
  static final Target TARGET = new Target("main", "/networks/eth/new_pools", QUERY, 1);
  static final String OPERATION = "operation=\"new_pools\"";
  static final RemainingBudget LEFT =
      new RemainingBudget(30, 20, 10_000, 4_000, START.plus(Duration.ofDays(3)), 2, 6_000, List.of(
          new KeyRemaining("1", KeyStatus.USED, null, null, 4_000,
              new KeyReport(START, "Demo", 30L, 10_000L, 6_100L, 3_900L)),
          new KeyRemaining("spare", KeyStatus.REFUSED, "401", START.plusSeconds(10), 9, null)));

  static final Receiver RECEIVER = new Receiver("tg", new SlackFormat(NotificationLinks.NONE),
      URI.create("https://example.org/"), new AlertMatcher(Set.of(), "info", Map.of()),
      NotificationLimit.parse("20 per minute"), Duration.ofMinutes(10), false);

  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  Instant now = START;
  final SourceMetrics metrics = new SourceMetrics("main", registry, () -> now);

  final Supplier<RemainingBudget> left = () -> LEFT;

  @BeforeEach
  void poll() {
    poll(left, null);
  }

  private void poll(Supplier<RemainingBudget> left, @Nullable TargetState known) {
    var watched = new WatchedTarget(TARGET, Duration.ofMinutes(1), 1);
    metrics.pollingStarted(List.of(watched), name -> known, state -> state.getObservedAt().plus(Duration.ofMinutes(15)),
        left, () -> null);
  }

  @Test
  void failedSessions_areCountedFromZero() {
    assertThat(registry.scrape())
        .contains("tidemark_source_session_failures_total{reason=\"timed_out\",source=\"main\"} 0.0")
        .contains("tidemark_source_session_failures_total{reason=\"other\",source=\"main\"} 0.0");

    metrics.sessionFailed(new LedgerFailure.TimedOut("main: Kafka does not answer", null));

    assertThat(registry.scrape())
        .contains("tidemark_source_session_failures_total{reason=\"timed_out\",source=\"main\"} 1.0");
  }

  @Test
  void outageOfKafka_isMeasuredWhileItLasts() {
    assertThat(registry.scrape()).contains("tidemark_kafka_outage_seconds{source=\"main\"} 0.0");

    metrics.show(() -> SourceStatus.POLLING, () -> START);
    now = START.plusSeconds(90);

    assertThat(registry.scrape()).contains("tidemark_kafka_outage_seconds{source=\"main\"} 90.0");
  }

  @Test
  void polls_areCountedByWhatTheyCameTo() {
    metrics.snapshotsCommitted(List.of(
        committed(state(START).build(), null),
        committed(state(START).setChanged(false).build(), null),
        committed(state(START).setChanged(false).setRejections(List.of(new Rejection("pool", "older", 2L))).build(),
            null),
        committed(state(START).setComplete(false).build(), null),
        committed(state(START).setComplete(false).build(), new Failure.RateLimited("slow down", null))));

    Stream.of("changed", "unchanged", "rejected", "unreadable", "rate_limited")
        .forEach(outcome -> assertThat(value("tidemark_polls_total", OPERATION, "outcome=\"" + outcome + "\""))
            .as(outcome).isEqualTo(1));
    assertThat(value("tidemark_observations_rejected_total", "reason=\"older\"")).isEqualTo(2);
  }

  @Test
  void polls_areCountedByWhyTheyWereChosen() {
    var target = new Target("main", "/global", new Query.GlobalMarket(), 1);
    var worth = new AgeIndex.PollWorth(1, 1, false, false, 60, null, 31);

    metrics.pollChosen(new DueTarget(target, new PollReason(PollCause.OVERDUE, worth, "/global"), null));

    assertThat(value("tidemark_polls_chosen_total", "operation=\"global\"", "reason=\"overdue\"")).isEqualTo(1);
  }

  @Test
  void bodyOfTheSameFill_countsAsEarly_equalBodyOfANewFillAsQuiet() {
    metrics.snapshotsCommitted(List.of(committed(state(START).setAsOf(START).build(), null)));
    metrics.snapshotsCommitted(
        List.of(committed(state(START).setAsOf(START.plusSeconds(1)).setChanged(false).build(), null)));
    metrics.snapshotsCommitted(
        List.of(committed(state(START).setAsOf(START.plusSeconds(61)).setChanged(false).build(), null)));

    assertThat(value("tidemark_polls_wasted_total", OPERATION, "kind=\"early\"")).isEqualTo(1);
    assertThat(value("tidemark_polls_wasted_total", OPERATION, "kind=\"quiet\"")).isEqualTo(1);
  }

  @Test
  void staleness_isTheAgeOfTheOldestTarget() {
    now = START.plusSeconds(40);
    assertThat(value("tidemark_staleness_seconds", OPERATION)).as("never observed: since polling began").isEqualTo(40);

    metrics.snapshotsCommitted(List.of(committed(state(now).build(), null)));
    now = now.plusSeconds(7);

    assertThat(value("tidemark_staleness_seconds", OPERATION)).isEqualTo(7);
  }

  @Test
  void targetNotObservedForLong_isOverdue_alsoIfItsAnswerLooksFinal() {
    now = START.plus(Duration.ofMinutes(16));
    assertThat(value("tidemark_targets_overdue", OPERATION)).isEqualTo(1);

    var retry = new TargetRetry(3, now.plusSeconds(240), "401 upgrade", true, null);
    metrics.snapshotsCommitted(
        List.of(committed(state(now).setComplete(false).setObservedPages(0).setRetry(retry).build(),
            new Failure.NotInPlan("upgrade"))));

    assertThat(value("tidemark_targets_retrying", OPERATION)).isEqualTo(1);
    assertThat(value("tidemark_targets_up_to_date", OPERATION)).isZero();
    assertThat(value("tidemark_next_retry_seconds", OPERATION)).isEqualTo(240);
    assertThat(value("tidemark_targets_overdue", OPERATION)).isEqualTo(1);
    assertThat(value("tidemark_staleness_seconds", OPERATION)).as("it does not measure the schedule").isNaN();
  }

  @Test
  void changes_areCountedByTopicAndFacet_withWithheldOnes() {
    var price = PoolPriceChange.newBuilder().setAfter(PoolPrice.newBuilder().setBaseTokenPriceUsd("1").build()).build();
    var change = change().setPrice(price).setAppeared(new Appeared("created", null, null, null)).build();
    var state = state(START).setSuppressed(List.of(new Suppressed("pool", "activity", 3L))).setMissed(5L).build();

    metrics.snapshotsCommitted(List.of(committed(state, null, change)));

    var topic = "topic=\"pool.changes\"";
    assertThat(value("tidemark_changes_total", topic)).isEqualTo(1);
    assertThat(value("tidemark_facet_changes_total", topic, "facet=\"price\"", "outcome=\"published\"")).isEqualTo(1);
    assertThat(value("tidemark_facet_changes_total", topic, "facet=\"activity\"", "outcome=\"withheld\""))
        .isEqualTo(3);
    assertThat(value("tidemark_appeared_total", "resource=\"pool\"", "kind=\"created\"")).isEqualTo(1);
    assertThat(value("tidemark_pools_missed_total", OPERATION)).isEqualTo(5);
  }

  @Test
  void missedPools_areNotCountedAgain_whenAFailedPollRepeatsThem() {
    metrics.snapshotsCommitted(List.of(committed(state(START).setMissed(5L).build(), null)));
    metrics.snapshotsCommitted(List.of(
        committed(state(START).setComplete(false).setMissed(5L).build(), new Failure.ServerError("500"))));

    assertThat(value("tidemark_pools_missed_total", OPERATION)).isEqualTo(5);
  }

  @Test
  void undocumentedAttributes_areCountedOnceEach() {
    var extra = new ExtraChange(null, new Extra("{\"mood\":\"fine\",\"nested\":{\"depth\":2}}"), null);

    metrics.updatesCommitted(List.of(entry(change().setExtra(extra).build()), entry(change().setExtra(extra).build())));

    assertThat(value("tidemark_undocumented_attributes", "resource=\"pool\"")).isEqualTo(2);
  }

  @Test
  void deadLetters_areRegisteredAtZeroAndCounted() {
    assertThat(value("tidemark_dead_letters_total", OPERATION)).isZero();
    var deadLetter = DeadLetter.newBuilder().setOperation("new_pools").build();

    metrics.snapshotsCommitted(List.of(new CommittedSnapshot(
        new Snapshot(TARGET, List.of(), false, null, START, START),
        new ChangeSet(state(START).build(), List.of(), List.of(), List.of(), List.of(deadLetter)))));

    assertThat(value("tidemark_dead_letters_total", OPERATION)).isEqualTo(1);
  }

  @Test
  void budget_isShownByWindowWithWhenItIsExhausted() {
    assertThat(value("tidemark_budget_remaining_calls", "window=\"minute\"")).isEqualTo(20);
    assertThat(value("tidemark_budget_remaining_calls", "window=\"month\"")).isEqualTo(4_000);
    assertThat(value("tidemark_budget_lasts_seconds")).isEqualTo(4_000 / 2 * 60);
    assertThat(value("tidemark_key_remaining_calls", "key=\"1\"")).isEqualTo(4_000);
    assertThat(value("tidemark_key_service_remaining_calls", "key=\"1\"")).isEqualTo(3_900);
    assertThat(value("tidemark_key_service_remaining_calls", "key=\"spare\"")).isNaN();
    assertThat(value("tidemark_key_status", "key=\"1\",source=\"main\",status=\"used\"")).isEqualTo(1);
    assertThat(value("tidemark_key_status", "key=\"spare\",source=\"main\",status=\"refused\"")).isEqualTo(1);
    assertThat(value("tidemark_key_status", "key=\"spare\",source=\"main\",status=\"used\"")).isZero();
    assertThat(value("tidemark_budget_reset_seconds")).isEqualTo(3 * 24 * 3600);
    assertThat(value("tidemark_calls_total")).isEqualTo(6_000);
  }

  @Test
  void calls_areCountedOnceForEachSession() {
    poll(left, null);
    assertThat(value("tidemark_calls_total")).as("other targets, the same session").isEqualTo(6_000);

    metrics.pollingStopped();
    poll(() -> LEFT, null);

    assertThat(value("tidemark_calls_total")).isEqualTo(12_000);
  }

  @Test
  void ageOfATargetThatWasNeverObserved_goesOnWithOtherTargets() {
    now = START.plus(Duration.ofMinutes(16));
    poll(left, state(now).setComplete(false).setObservedPages(0).build());

    assertThat(value("tidemark_targets_overdue", OPERATION)).isEqualTo(1);
    assertThat(value("tidemark_staleness_seconds", OPERATION)).isEqualTo(960);
  }

  @Test
  void sourceThatIsNotPolledHere_hasNoStalenessAndNoBudget() {
    metrics.pollingStopped();

    assertThat(value("tidemark_budget_remaining_calls", "window=\"month\"")).isNaN();
    assertThat(value("tidemark_staleness_seconds", OPERATION)).isNaN();
    assertThat(value("tidemark_calls_total")).as("what was counted stays").isEqualTo(6_000);
  }

  @Test
  void deliveries_areCountedByWhatBecameOfThem() {
    var deliveries = metrics.deliveries(List.of());

    deliveries.attempted("tg", "later");
    deliveries.attempted("tg", "delivered");
    deliveries.digested("tg", 40);

    var receiver = "receiver=\"tg\"";
    assertThat(value("tidemark_deliveries_total", receiver, "outcome=\"later\"")).isEqualTo(1);
    assertThat(value("tidemark_deliveries_total", receiver, "outcome=\"delivered\"")).isEqualTo(1);
    assertThat(value("tidemark_deliveries_digested_alerts_total", receiver)).isEqualTo(40);
  }

  @Test
  void receiverThatTakesNothing_isShownUntilItTakesAgain() {
    var deliveries = metrics.deliveries(List.of(RECEIVER));
    assertThat(value("tidemark_receiver_accepting", "receiver=\"tg\"")).isEqualTo(1);

    deliveries.reported("tg", new DeliveryState(false, true, 0, 0, null));
    assertThat(value("tidemark_receiver_accepting", "receiver=\"tg\"")).isZero();
    deliveries.reported("tg", DeliveryState.INITIAL);
    assertThat(value("tidemark_receiver_accepting", "receiver=\"tg\"")).isEqualTo(1);
  }

  @Test
  void receiverWithoutAlerts_isReadAndNothingWaits() {
    metrics.deliveries(List.of(RECEIVER));

    assertThat(value("tidemark_receiver_reading", "receiver=\"tg\"")).isEqualTo(1);
    assertThat(value("tidemark_receiver_unreadable_partitions", "receiver=\"tg\"")).isZero();
    assertThat(value("tidemark_receiver_waiting_alerts", "receiver=\"tg\"")).isZero();
    assertThat(value("tidemark_receiver_oldest_waiting_seconds", "receiver=\"tg\"")).isZero();
  }

  @Test
  void alertsThatWaitForAReceiver_areShownWithTheAgeOfTheOldest() {
    var deliveries = metrics.deliveries(List.of(RECEIVER));

    deliveries.reported("tg", new DeliveryState(true, true, 0, 12, START));
    now = START.plusSeconds(90);

    assertThat(value("tidemark_receiver_waiting_alerts", "receiver=\"tg\"")).isEqualTo(12);
    assertThat(value("tidemark_receiver_oldest_waiting_seconds", "receiver=\"tg\"")).isEqualTo(90);
  }

  @Test
  void receiverThatCannotBeRead_isShown() {
    var deliveries = metrics.deliveries(List.of(RECEIVER));

    deliveries.reported("tg", new DeliveryState(true, false, 2, 0, null));

    assertThat(value("tidemark_receiver_reading", "receiver=\"tg\"")).isZero();
    assertThat(value("tidemark_receiver_unreadable_partitions", "receiver=\"tg\"")).isEqualTo(2);
  }

  @Test
  void commits_areCountedWithTheirTimes() {
    metrics.committed(12, Duration.ofMillis(30));

    assertThat(value("tidemark_ledger_commit_seconds_count")).isEqualTo(1);
    assertThat(value("tidemark_ledger_commit_seconds_bucket", "le=\"0.05\"")).isEqualTo(1);
    assertThat(value("tidemark_ledger_records_total")).isEqualTo(12);
  }

  @Test
  void answers_areCountedWithTheirTimesByOperation() {
    metrics.snapshotsCommitted(List.of(committed(state(START).build(), null)));

    assertThat(value("tidemark_answer_seconds_bucket", OPERATION, "le=\"0.1\"")).isZero();
    assertThat(value("tidemark_answer_seconds_bucket", OPERATION, "le=\"0.25\"")).isEqualTo(1);
    assertThat(value("tidemark_answer_seconds_sum", OPERATION)).isEqualTo(0.12);
  }

  private static TargetState.Builder state(Instant at) {
    return TargetState.newBuilder().setTarget(TARGET.name()).setObservedAt(at);
  }

  private static PoolChange.Builder change() {
    return PoolChange.newBuilder().setId("eth_0xa");
  }

  private static ResourceUpdate entry(PoolChange change) {
    return new ResourceUpdate("pool", change.getId(), change, null);
  }

  private static CommittedSnapshot committed(TargetState state, @Nullable Failure failure, PoolChange... changes) {
    var entries = Arrays.stream(changes).map(SourceMetricsTest::entry).toList();
    return new CommittedSnapshot(
        new Snapshot(TARGET, failure == null ? List.of(answer()) : List.of(), true, failure, state.getObservedAt(),
            state.getObservedAt()),
        new ChangeSet(state, List.of(), entries, List.of(), List.of()));
  }

  private static Answer<?> answer() {
    return new Answer<>(QUERY, Body.of(null), "digest", START, START.plusMillis(120), null, null, null, null);
  }

  /** Of the one sample that has these labels. */
  private double value(String name, String... labels) {
    return registry.scrape().lines()
        .filter(line -> line.startsWith(name + "{") && Stream.of(labels).allMatch(line::contains))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .mapToDouble(Double::parseDouble)
        .reduce((one, other) -> {
          throw new AssertionError("several samples of " + name + " have " + List.of(labels));
        })
        .orElseThrow(() -> new AssertionError("no sample of " + name + " has " + List.of(labels)));
  }
}

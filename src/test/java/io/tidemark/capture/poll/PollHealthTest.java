package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Global;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PollHealthTest {

  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  final Failure silent = new Failure.Unreachable("example.org: no byte came", null);

  final PollHealth health = new PollHealth();

  PollHealthTest() {
    health.watch("/a", NOON);
    health.watch("/b", NOON.plusSeconds(1));
  }

  @Test
  void neverObserved_countsFromTheStart() {
    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    poll("/a", NOON.plusSeconds(5), null);
    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/b", NOON.plusSeconds(1)));
  }

  @Test
  void answerThatLooksFinal_isAProblemAtOnce_oldestTargetStaysKnown() {
    poll("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/b", NOON.plusSeconds(1)));
    assertThat(health.problem())
        .isEqualTo("1 of 2 targets fail and are retried; the latest failure: paid plans only");
    assertThat(health.isDegraded()).isFalse();
  }

  @Test
  void everyTargetFails_isDegraded_untilOneIsAnswered() {
    poll("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));
    poll("/b", NOON.plusSeconds(6), new Failure.BadRequest("unknown sort"));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    assertThat(health.isDegraded()).isTrue();
    poll("/a", NOON.plusSeconds(7), null);
    assertThat(health.isDegraded()).isFalse();
    assertThat(health.problem()).startsWith("1 of 2 targets");
  }

  @Test
  void listWhoseLaterPagesAreBeyondThePlan_isPolledStill() {
    var page = new Answer<>(
        new Query.GlobalMarket(), Body.of(Observation.of(new Global())), "digest", NOON, NOON, null, null, null, null);
    var target = new Target("main", "/a", new Query.GlobalMarket(), 2);
    health.recordPoll(new Snapshot(target, List.of(page), false, new Failure.NotInPlan("page 2"), NOON, NOON), false);

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
  }

  @Test
  void allObserved_theOldestIsThatOfTheOldestPoll() {
    poll("/b", NOON.plusSeconds(5), null);

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    poll("/a", NOON.plusSeconds(9), null);
    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/b", NOON.plusSeconds(5)));
  }

  @Test
  void confirmedNotFound_isAnAnswer() {
    poll("/b", NOON.plusSeconds(5), new Failure.NotFound("404", false));
    assertThat(health.problem()).contains("404");

    poll("/b", NOON.plusSeconds(6), new Failure.NotFound("404", true));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    assertThat(health.problem()).isNull();
  }

  @Test
  void pollFails_targetStaysAsOldAsItWas() {
    poll("/a", NOON.plusSeconds(5), silent);
    poll("/b", NOON.plusSeconds(6), null);

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    assertThat(health.lastError()).isEqualTo(silent.getMessage());
    assertThat(health.lastErrorAt()).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void threePollsInARowFail_sourceIsDegraded_untilOneSucceeds() {
    health.watch("/c", NOON);
    poll("/a", NOON, silent);
    poll("/a", NOON, silent);
    assertThat(health.isDegraded()).isFalse();
    assertThat(health.problem()).as("it may pass").isNull();

    poll("/a", NOON, silent);
    assertThat(health.isDegraded()).isTrue();

    poll("/b", NOON, null);
    assertThat(health.isDegraded()).isFalse();
  }

  @Test
  void unreadableAnswers_areNoObservations() {
    var garbled =
        new Snapshot(new Target("main", "/a", new Query.GlobalMarket(), 1), List.of(), true, null, NOON.plusSeconds(9),
            NOON.plusSeconds(9));
    health.recordPoll(garbled, false);
    poll("/b", NOON.plusSeconds(10), new Failure.Unreadable("no JSON", new byte[] {'<'}, 200, Map.of()));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    health.recordPoll(garbled, false);
    assertThat(health.isDegraded()).isTrue();
    assertThat(health.problem()).isEqualTo("2 of 2 targets fail and are retried; the latest failure: no JSON");
    assertThat(health.lastError()).startsWith("/a: its answer is unreadable");
  }

  @Test
  void answerAfterTheTargetWasRemoved_isNoProblem() {
    health.unwatch("/a");
    poll("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));

    assertThat(health.problem()).isNull();
    assertThat(health.isDegraded()).isFalse();
  }

  private void poll(String target, Instant at, Failure failure) {
    health.recordPoll(
        new Snapshot(new Target("main", target, new Query.GlobalMarket(), 1), List.of(), true, failure, at, at), true);
  }
}

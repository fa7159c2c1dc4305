package io.tidemark.poll;

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

  final PollHealth health =
      new PollHealth(List.of("/a", "/b"), target -> target.equals("/a") ? NOON : null, NOON.plusSeconds(1));

  @Test
  void neverObserved_countsFromTheStart() {
    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    poll("/a", NOON.plusSeconds(5), null);
    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/b", NOON.plusSeconds(1)));
  }

  @Test
  void targetThatIsNotPolledAnyMore_doesNotAge() {
    poll("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/b", NOON.plusSeconds(1)));
    assertThat(health.degradedReason()).isNull();
  }

  @Test
  void everyTargetDisabled_isDegraded() {
    poll("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));
    poll("/b", NOON.plusSeconds(6), new Failure.BadRequest("unknown sort"));

    assertThat(health.oldest()).isNull();
    assertThat(health.degradedReason()).isEqualTo("unknown sort");
  }

  @Test
  void listWhoseLaterPagesAreBeyondThePlan_isPolledStill() {
    var page = new Answer<>(
        new Query.GlobalMarket(), Body.of(Observation.of(new Global())), "digest", NOON, NOON, null, null, null);
    var target = new Target("main", "/a", new Query.GlobalMarket(), 2);
    health.recordPoll(new Snapshot(target, List.of(page), false, new Failure.NotInPlan("page 2"), NOON), false);

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
  void targetUnknownToTheService_isAnAnswer() {
    poll("/b", NOON.plusSeconds(5), new Failure.NotFound("404"));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    assertThat(health.lastError()).isNull();
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
    poll("/a", NOON, silent);
    poll("/b", NOON, silent);
    assertThat(health.degradedReason()).isNull();

    poll("/a", NOON, silent);
    assertThat(health.degradedReason()).isEqualTo(silent.getMessage());

    poll("/b", NOON, null);
    assertThat(health.degradedReason()).isNull();
  }

  @Test
  void creditsUsedUp_isDegradedAtOnce() {
    poll("/a", NOON, new Failure.CreditsExhausted("10,000 calls"));

    assertThat(health.degradedReason()).isEqualTo("10,000 calls");
  }

  @Test
  void targetsBeyondThePlan_areNoFailureOfTheSource() {
    for (int i = 0; i < 5; i++) {
      poll("/a", NOON, new Failure.NotInPlan("paid plans only"));
    }

    assertThat(health.degradedReason()).isNull();
  }

  @Test
  void unreadableAnswers_areNoObservations() {
    var garbled =
        new Snapshot(new Target("main", "/a", new Query.GlobalMarket(), 1), List.of(), true, null, NOON.plusSeconds(9));
    health.recordPoll(garbled, false);
    poll("/b", NOON.plusSeconds(10), new Failure.Unreadable("no JSON", new byte[] {'<'}, 200, Map.of()));

    assertThat(health.oldest()).isEqualTo(new PollHealth.OldestTarget("/a", NOON));
    assertThat(health.degradedReason()).isNull();
    health.recordPoll(garbled, false);
    assertThat(health.degradedReason()).startsWith("/a: its answer is unreadable");
  }

  private void poll(String target, Instant at, Failure failure) {
    health.recordPoll(
        new Snapshot(new Target("main", target, new Query.GlobalMarket(), 1), List.of(), true, failure, at), true);
  }
}

package io.tidemark.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Global;
import io.tidemark.market.Answer;
import io.tidemark.market.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SightTest {

  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  final Failure silent = new Failure.Unreachable("example.org: no byte came", null);

  final Sight sight = new Sight(List.of("/a", "/b"), target -> target.equals("/a") ? NOON : null, NOON.plusSeconds(1));

  @Test
  void neverSeen_countsFromTheStart() {
    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/a", NOON));
    look("/a", NOON.plusSeconds(5), null);
    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/b", NOON.plusSeconds(1)));
  }

  @Test
  void targetThatIsNotLookedAtAnyMore_doesNotAge() {
    look("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));

    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/b", NOON.plusSeconds(1)));
    assertThat(sight.trouble()).isNull();
  }

  @Test
  void nothingIsLookedAtAnyMore_isTrouble() {
    look("/a", NOON.plusSeconds(5), new Failure.NotInPlan("paid plans only"));
    look("/b", NOON.plusSeconds(6), new Failure.BadQuestion("unknown sort"));

    assertThat(sight.oldest()).isNull();
    assertThat(sight.trouble()).isEqualTo("unknown sort");
  }

  @Test
  void listWhoseLaterPagesAreBeyondThePlan_isLookedAtStill() {
    var page = new Answer<>(
        new Query.GlobalMarket(), Body.of(Seen.of(new Global())), "digest", NOON, NOON, null, null, null);
    var target = new Target("main", "/a", new Query.GlobalMarket(), 2);
    sight.saw(new Sweep(target, List.of(page), false, new Failure.NotInPlan("page 2"), NOON), false);

    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/a", NOON));
  }

  @Test
  void allSeen_theOldestIsThatOfTheOldestLook() {
    look("/b", NOON.plusSeconds(5), null);

    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/a", NOON));
    look("/a", NOON.plusSeconds(9), null);
    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/b", NOON.plusSeconds(5)));
  }

  @Test
  void targetUnknownToTheService_isAnAnswer() {
    look("/b", NOON.plusSeconds(5), new Failure.NotFound("404"));

    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/a", NOON));
    assertThat(sight.lastError()).isNull();
  }

  @Test
  void lookFails_targetStaysAsOldAsItWas() {
    look("/a", NOON.plusSeconds(5), silent);
    look("/b", NOON.plusSeconds(6), null);

    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/a", NOON));
    assertThat(sight.lastError()).isEqualTo(silent.getMessage());
    assertThat(sight.lastErrorAt()).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void threeLooksInARowFail_sightIsInTrouble_untilOneSucceeds() {
    look("/a", NOON, silent);
    look("/b", NOON, silent);
    assertThat(sight.trouble()).isNull();

    look("/a", NOON, silent);
    assertThat(sight.trouble()).isEqualTo(silent.getMessage());

    look("/b", NOON, null);
    assertThat(sight.trouble()).isNull();
  }

  @Test
  void creditsUsedUp_isTroubleAtOnce() {
    look("/a", NOON, new Failure.CreditsUsedUp("10,000 calls"));

    assertThat(sight.trouble()).isEqualTo("10,000 calls");
  }

  @Test
  void targetsBeyondThePlan_areNoTroubleOfTheSource() {
    for (int i = 0; i < 5; i++) {
      look("/a", NOON, new Failure.NotInPlan("paid plans only"));
    }

    assertThat(sight.trouble()).isNull();
  }

  @Test
  void answersThatCannotBeRead_areNoSight() {
    var garbled =
        new Sweep(new Target("main", "/a", new Query.GlobalMarket(), 1), List.of(), true, null, NOON.plusSeconds(9));
    sight.saw(garbled, false);
    look("/b", NOON.plusSeconds(10), new Failure.Unreadable("no JSON", new byte[] {'<'}, 200, Map.of()));

    assertThat(sight.oldest()).isEqualTo(new Sight.Oldest("/a", NOON));
    assertThat(sight.trouble()).isNull();
    sight.saw(garbled, false);
    assertThat(sight.trouble()).startsWith("/a: cannot be read");
  }

  private void look(String target, Instant at, Failure failure) {
    sight.saw(new Sweep(new Target("main", target, new Query.GlobalMarket(), 1), List.of(), true, failure, at), true);
  }
}

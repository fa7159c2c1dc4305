package io.tidemark.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

class SessionLoopTest {

  static final Duration LENGTH = Duration.ofSeconds(8);

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final Lease lease = new Lease(() -> timer.now(TimeUnit.NANOSECONDS), LENGTH, 0);
  final List<String> said = new ArrayList<>();

  @Test
  void givenBack_theLifeEndsInOrder() {
    var tenure = begin(SessionLoopTest::working);

    var over = tenure.stopInOrder();

    assertThat(over).isDone();
    assertThat(said).containsExactly("begins", "in order");
  }

  @Test
  void lost_theLifeIsDropped() {
    var tenure = begin(SessionLoopTest::working);

    tenure.abort();

    assertThat(tenure.isContinuing()).isFalse();
    assertThat(said).containsExactly("begins");
  }

  @Test
  void lifeFails_theNextBeginsFromTheStart() {
    begin(tenure -> said.size() == 1 ? Mono.error(new IllegalStateException("once")) : working(tenure));

    timer.advanceTimeBy(Duration.ofSeconds(3));

    assertThat(said).containsExactly("begins", "begins");
  }

  @Test
  void lifeFailsAndTheLeaseIsOver_nextWaitsForTheGroup() {
    begin(tenure -> Mono.delay(LENGTH, timer).then(Mono.error(new IllegalStateException("stopped for a while"))));
    timer.advanceTimeBy(Duration.ofMinutes(5));

    assertThat(said).containsExactly("begins");
  }

  @Test
  void givenBackBetweenTwoLives_itIsOver() {
    var tenure = begin(each -> Mono.error(new IllegalStateException("once")));

    var over = tenure.stopInOrder();

    assertThat(over).isDone();
    timer.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(said).containsExactly("begins");
  }

  @Test
  void noLifeLeft_saysWhy() {
    begin(tenure -> Mono.error(new Failure.BadKey("key refused")));

    assertThat(said).containsExactly("begins", "ended: key refused");
  }

  private SessionLoop begin(Function<SessionLoop, Mono<Void>> life) {
    var lives = new RestartPolicy("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);
    return SessionLoop.start(lease, lives, tenure -> {
      said.add("begins");
      return life.apply(tenure).doOnSuccess(done -> said.add("in order"));
    }, Schedulers.immediate(), timer, end -> said.add("ended: " + end.getMessage()));
  }

  /** Works until told to stop. */
  private static Mono<Void> working(SessionLoop tenure) {
    return Mono.<Void>never().takeUntilOther(tenure.stopRequested());
  }
}

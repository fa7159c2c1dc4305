package io.tidemark.app;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class RestartedRoleTest {

  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  private final List<FakeRole> started = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private Throwable startFailure;
  private final RestartedRole<FakeRole> role = new RestartedRole<>(
      "streams of main", this::start, each -> each.end, () -> heard.add("failed"),
      timer, RestartedRole.LONGEST_PAUSE);

  private static final class FakeRole implements AutoCloseable {
    final CompletableFuture<Void> end = new CompletableFuture<>();
    boolean closed;

    @Override
    public void close() {
      closed = true;
      end.complete(null);
    }
  }

  @AfterEach
  void dispose() {
    timer.dispose();
  }

  @Test
  void failedRole_isClosedAndStartsAgain() {
    role.begin();
    started.getFirst().end.completeExceptionally(new IllegalStateException("the state directory is gone"));
    timer.advanceTimeBy(Duration.ofMillis(1));

    assertThat(role.running()).isNull();
    assertThat(role.problem()).isEqualTo("the state directory is gone");
    assertThat(started.getFirst().closed).isTrue();

    timer.advanceTimeBy(RestartedRole.FIRST_PAUSE);
    assertThat(role.running()).isSameAs(started.get(1));
    assertThat(role.problem()).isNull();
    assertThat(heard).containsExactly("started", "failed", "started");
  }

  @Test
  void roleThatEndsByItself_hasFailed() {
    role.begin();
    started.getFirst().close();
    timer.advanceTimeBy(Duration.ofMillis(1));

    assertThat(role.problem()).isEqualTo("streams of main ended by itself");
    timer.advanceTimeBy(RestartedRole.FIRST_PAUSE);
    assertThat(started).hasSize(2);
  }

  @Test
  void roleThatCannotStart_isRetriedForever_withGrowingPauses() {
    startFailure = new NoClassDefFoundError("a library");
    role.begin();
    var pauses = IntStream.range(0, 12).mapToLong(n -> untilNextFailure()).toArray();

    assertThat(pauses[0]).isBetween(1_600L, 2_000L);
    assertThat(pauses[1]).isBetween(3_200L, 4_000L);
    assertThat(pauses[4]).isBetween(25_600L, 32_000L);
    assertThat(pauses[11]).isBetween(240_000L, 300_000L);
    assertThat(pauses[11]).isNotEqualTo(pauses[10]);
    assertThat(role.problem()).isEqualTo("a library");

    startFailure = null;
    timer.advanceTimeBy(RestartedRole.LONGEST_PAUSE);
    assertThat(role.running()).isNotNull();
  }

  @Test
  void roleThatRanForLong_startsAgainWithTheFirstPause() {
    startFailure = new IllegalStateException("no");
    role.begin();
    IntStream.range(0, 9).forEach(n -> untilNextFailure());
    startFailure = null;
    timer.advanceTimeBy(RestartedRole.LONGEST_PAUSE.plus(RestartedRole.HEALTHY_AFTER));
    started.getFirst().end.completeExceptionally(new IllegalStateException("again"));
    timer.advanceTimeBy(RestartedRole.FIRST_PAUSE.plusMillis(1));

    assertThat(started).hasSize(2);
  }

  @Test
  void closedRole_doesNotStartAgain() {
    role.begin();
    role.close();
    timer.advanceTimeBy(RestartedRole.LONGEST_PAUSE);

    assertThat(started).singleElement().matches(each -> each.closed);
    assertThat(heard).containsExactly("started");
  }

  @Test
  void roleClosedWhileItWaits_doesNotStartAgain() {
    startFailure = new IllegalStateException("no");
    role.begin();
    startFailure = null;
    role.close();
    timer.advanceTimeBy(RestartedRole.LONGEST_PAUSE);

    assertThat(started).isEmpty();
  }

  @Test
  void onlyRole_endsTheProcessWithItsFailure() {
    var ends = new ArrayList<Throwable>();
    role.beginOnce(ends::add);
    var failure = new IllegalStateException("an unreadable record");
    started.getFirst().end.completeExceptionally(failure);
    timer.advanceTimeBy(RestartedRole.LONGEST_PAUSE);

    assertThat(ends).containsExactly(failure);
    assertThat(started).hasSize(1);
    assertThat(role.problem()).isEqualTo("an unreadable record");
  }

  @Test
  void onlyRoleThatCannotStart_failsAtOnce() {
    startFailure = new IllegalStateException("web: cannot listen");

    assertThatThrownBy(() -> role.beginOnce(failure -> {})).isSameAs(startFailure);
  }

  private long untilNextFailure() {
    var before = heard.size();
    var begin = timer.now(MILLISECONDS);
    while (heard.size() == before) {
      timer.advanceTimeBy(Duration.ofMillis(1));
    }
    return timer.now(MILLISECONDS) - begin;
  }

  private FakeRole start() {
    switch (startFailure) {
      case RuntimeException failure -> throw failure;
      case Error failure -> throw failure;
      case null, default -> {}
    }
    var next = new FakeRole();
    started.add(next);
    heard.add("started");
    return next;
  }
}

package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PollFailureLogTest {

  static final Target GLOBAL = new Target("main", "/global", new Query.GlobalMarket(), 1);
  static final Target POOLS =
      new Target("main", "/pools", new Query.TokenByAddress("eth", "0x1", false, false, false), 1);
  static final String FIRST = "source main: could not poll target /global (refused); later";

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(PollFailureLog.class);
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final PollFailureLog failures = new PollFailureLog(() -> now);

  @BeforeEach
  void listen() {
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void leave() {
    log.detachAppender(lines);
  }

  @Test
  void longOutage_isLoggedAtItsStart_onceAMinute_andAtItsEnd() {
    for (int second = 0; second < 130; second += 5) {
      failures.failed(second % 10 == 0 ? GLOBAL : POOLS, new Failure.Unreachable("refused", null), "later");
      now = now.plusSeconds(5);
    }
    failures.answered(GLOBAL);
    failures.answered(POOLS);

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
        FIRST,
        "source main: failed polls since the last such line: 12, failed targets: 2. The newest failure: could not poll"
            + " target /global (refused); later",
        "source main: failed polls since the last such line: 12, failed targets: 2. The newest failure: could not poll"
            + " target /global (refused); later",
        "source main: all polls succeed again; failures lasted 130 s, failed polls: 26");
  }

  @Test
  void answersOfOtherTargets_endNothing() {
    for (int second = 0; second <= 60; second += 5) {
      failures.failed(GLOBAL, new Failure.ServerError("refused"), "later");
      failures.answered(POOLS);
      now = now.plusSeconds(5);
    }
    failures.answered(GLOBAL);

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
        FIRST,
        "source main: failed polls since the last such line: 12, failed targets: 1. The newest failure: could not poll"
            + " target /global (refused); later",
        "source main: all polls succeed again; failures lasted 65 s, failed polls: 13");
  }

  @Test
  void targetThatFailsAndIsAnsweredInTurns_isLoggedTwiceAMinute() {
    for (int second = 0; second < 120; second += 10) {
      failures.failed(GLOBAL, new Failure.ServerError("refused"), "later");
      now = now.plusSeconds(5);
      failures.answered(GLOBAL);
      now = now.plusSeconds(5);
    }

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
        FIRST,
        "source main: all polls succeed again; failures lasted 5 s, failed polls: 1",
        "source main: failed polls since the last such line: 6, failed targets: 1. The newest failure: could not poll"
            + " target /global (refused); later",
        "source main: all polls succeed again; failures lasted 5 s, failed polls: 1");
  }

  @Test
  void targetThatIsNotWatchedAnyMore_keepsNoOutageOpen() {
    failures.failed(GLOBAL, new Failure.ServerError("refused"), "later");
    failures.unwatch(GLOBAL.name());
    failures.answered(POOLS);

    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
        FIRST, "source main: all polls succeed again; failures lasted 0 s, failed polls: 1");
  }
}

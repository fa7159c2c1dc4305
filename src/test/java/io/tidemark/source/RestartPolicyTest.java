package io.tidemark.source;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import io.tidemark.topic.SchemaRegistryFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.test.scheduler.VirtualTimeScheduler;

class RestartPolicyTest {

  final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  final List<String> events = new ArrayList<>();
  final RestartPolicy restarts =
      new RestartPolicy("main", () -> Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)), timer);

  @Test
  void passingFailure_isFollowedByASessionAfterAPause() {
    fail(new IllegalStateException("once"));

    assertThat(events).isEmpty();
    timer.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(events).containsExactly("again");
  }

  @Test
  void sameFailureThreeTimesAtOnePlace_isFinal() {
    for (int i = 0; i < 3; i++) {
      fail(new IllegalStateException("again"));
    }
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(events).containsExactlyInAnyOrder("again", "again", "final: again");
  }

  @Test
  void failuresFarApart_areNotCountedTogether() {
    for (int i = 0; i < 5; i++) {
      fail(new IllegalStateException("rare"));
      timer.advanceTimeBy(Duration.ofMinutes(11));
    }

    assertThat(events).hasSize(5).containsOnly("again");
  }

  @Test
  void kafkaThatDoesNotAnswer_isWaitedForWithoutEnd() {
    for (int i = 0; i < 10; i++) {
      fail(new LedgerFailure.TimedOut("nobody there", null));
      timer.advanceTimeBy(Duration.ofSeconds(32));
    }

    assertThat(events).hasSize(10).containsOnly("again");
  }

  @Test
  void registryThatDoesNotAnswer_isWaitedFor() {
    for (int i = 0; i < 5; i++) {
      fail(new SchemaRegistryFailure.RegistryUnreachable("registry x does not answer", null));
    }
    timer.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(events).hasSize(5).containsOnly("again");
  }

  @Test
  void badKey_isFinalAtOnce_inOneLineThatSaysWhatToDo() {
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(RestartPolicy.class);
    log.addAppender(lines);
    fail(new Failure.BadKey("/global: 401 Invalid API Key."));
    log.detachAppender(lines);

    assertThat(events).containsExactly("final: /global: 401 Invalid API Key.");
    assertThat(lines.list).filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.INFO)).singleElement()
        .satisfies(line -> assertThat(line.getThrowableProxy()).isNull())
        .extracting(ILoggingEvent::getFormattedMessage).asString()
        .startsWith("source main: the service rejects the API key").contains("correct the key")
        .endsWith("Cause: /global: 401 Invalid API Key.");
  }

  private void fail(RuntimeException failure) {
    restarts.afterFailure(failure).subscribe(next -> events.add("again"),
        end -> events.add("final: " + end.getMessage()));
  }
}

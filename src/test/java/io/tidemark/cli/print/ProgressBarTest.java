package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final AtomicLong nanos = new AtomicLong(5);
  private final StringWriter printed = new StringWriter();

  private ProgressBar bar(boolean isOnTerminal) {
    return new ProgressBar(new PrintWriter(printed), isOnTerminal, nanos::get);
  }

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void terminal_hasOneLineThatIsClearedInTheEnd() {
    try (var bar = bar(true)) {
      bar.update(1, 4);
      bar.update(1, 4);
      bar.update(2, 4);
    }

    assertThat(printed).hasToString("\r[%s%s]  25.0 %%  1 of 4\r[%s%s]  50.0 %%  2 of 4\r\033[K".formatted(
        "#".repeat(10), " ".repeat(30), "#".repeat(20), " ".repeat(20)));
  }

  @Test
  void terminal_isWhatTheLauncherSays_evenIfStandardInputIsNone() {
    assertThat(ProgressBar.isTerminal()).isEqualTo(ProgressBar.isInteractive());

    System.setProperty("tidemark.terminal", "true");
    try {
      assertThat(ProgressBar.isTerminal()).isTrue();
    } finally {
      System.clearProperty("tidemark.terminal");
    }
  }

  @Test
  void log_hasALineEveryTenSeconds_andNoneOfWorkThatEndsSooner() {
    try (var bar = bar(false)) {
      for (var second = 1; second <= 25; second++) {
        pass(1);
        bar.update(second, 1_000);
      }
    }

    assertThat(printed.toString().lines()).containsExactly("  1.0 %  10 of 1,000", "  2.0 %  20 of 1,000");
  }

  @Test
  void log_hasNoLineWithoutProgress() {
    try (var bar = bar(false)) {
      pass(10);
      bar.update(500, 1_000);
      pass(60);
      bar.update(500, 1_000);
    }

    assertThat(printed.toString().lines()).containsExactly(" 50.0 %  500 of 1,000");
  }
}

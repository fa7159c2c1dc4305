package io.tidemark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Log lines that the shipped configuration writes. */
class LogLinesTest {

  static final String HOSTILE = "pool \u001b[2J\u202eevil\n12:00:00.000 INFO  Ledger: all is well";

  final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void text_isOneLine() throws Exception {
    assertThat(written("text", "source {}: polling", null, "main"))
        .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  Poller: source main: polling\\R");
  }

  @Test
  void hostileText_staysOnItsLine() throws Exception {
    var line = written("text", "new: {}", null, HOSTILE);

    assertThat(line.lines()).hasSize(1);
    assertThat(line).contains("pool \\u001b[2J\\u202eevil\\u000a12:00:00.000").doesNotContain("\u001b", "\u202e");
  }

  @Test
  void longMessage_isTruncated() throws Exception {
    assertThat(written("text", "{}", null, "x".repeat(100_000))).hasSizeLessThan(5_000).contains("...");
  }

  @Test
  void stackTrace_cannotBeMistakenForLogLines() throws Exception {
    var lines = written("text", "broken", new IllegalStateException(HOSTILE)).lines().toList();

    assertThat(lines).hasSizeGreaterThan(2);
    assertThat(lines.getFirst()).endsWith("Poller: broken");
    assertThat(lines.subList(1, lines.size())).allSatisfy(line -> assertThat(line).startsWith("    "));
    assertThat(String.join("", lines)).contains("IllegalStateException").doesNotContain("\u001b", "\u202e");
  }

  @Test
  void json_isOneObjectPerLine() throws Exception {
    var written = written("json", "new: {}", new IllegalStateException(HOSTILE), HOSTILE);

    assertThat(written.lines()).hasSize(1);
    var line = json(written);
    assertThat(line.get("level").asText()).isEqualTo("WARN");
    assertThat(line.get("logger").asText()).isEqualTo("io.tidemark.poll.Poller");
    assertThat(line.get("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
    assertThat(line.get("message").asText()).startsWith("new: pool \\u001b[2J\\u202eevil\\u000a");
    assertThat(line.get("error").asText()).contains("IllegalStateException", "LogLinesTest").doesNotContain("\u202e");
  }

  @Test
  void jsonWithoutException_hasNoError() throws Exception {
    assertThat(json(written("json", "well", null)).has("error")).isFalse();
  }

  @Test
  void unknownFormat_isRejected() {
    assertThat(LogFormat.of(name -> null)).isEqualTo(LogFormat.TEXT);
    assertThat(LogFormat.of(name -> "json")).isEqualTo(LogFormat.JSON);
    assertThatThrownBy(() -> LogFormat.of(name -> "xml")).hasMessage("TIDEMARK_LOG: text or json, not 'xml'");
  }

  private String written(String format, String message, @Nullable Throwable thrown, Object... arguments)
      throws Exception {
    context.putProperty("TIDEMARK_LOG", format);
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(LogLinesTest.class.getResource("/logback.xml"));
    var logger = context.getLogger("io.tidemark.poll.Poller");
    var appender = (ConsoleAppender<ILoggingEvent>) context.getLogger("ROOT").getAppender(format);
    var event = new LoggingEvent("here", logger, Level.WARN, message, thrown, arguments);
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  private static JsonNode json(String line) throws Exception {
    return new ObjectMapper().readTree(line);
  }
}

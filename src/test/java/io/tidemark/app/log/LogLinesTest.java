package io.tidemark.app.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.log.LogSettings.LogFormat;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Log lines as the environment wants them. */
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
    assertThat(line.get("logger").asText()).isEqualTo("io.tidemark.capture.poll.Poller");
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
    assertThat(LogSettings.of(name -> null).format()).isEqualTo(LogFormat.TEXT);
    assertThat(LogSettings.of(Map.of("TIDEMARK_LOG", "json")::get).format()).isEqualTo(LogFormat.JSON);
    assertThatThrownBy(() -> LogSettings.of(Map.of("TIDEMARK_LOG", "xml")::get))
        .hasMessage("TIDEMARK_LOG: must be text or json, not 'xml'");
  }

  @Test
  void levels_areThoseOfTheEnvironment_andNoisyLoggersKeepTheirOwn() {
    configure(Map.of("TIDEMARK_LOG_LEVEL", "debug", "TIDEMARK_LIBRARY_LOG_LEVEL", "OFF"));

    assertThat(context.getLogger("io.tidemark.capture.poll.Poller").getEffectiveLevel()).isEqualTo(Level.DEBUG);
    assertThat(context.getLogger("org.apache.kafka").getEffectiveLevel()).isEqualTo(Level.OFF);
    assertThat(context.getLogger("org.apache.kafka.clients.NetworkClient").getEffectiveLevel()).isEqualTo(Level.ERROR);
    assertThat(context.getLogger("reactor.netty.http.client").getEffectiveLevel()).isEqualTo(Level.INFO);
  }

  @Test
  void emptyVariables_areLikeVariablesThatAreNotSet() {
    assertThat(LogSettings.of(variable -> "")).isEqualTo(LogSettings.of(variable -> null));
  }

  @Test
  void levelsThatAreNotSet_areInfoAndWarn() {
    configure(Map.of());

    assertThat(context.getLogger("io.tidemark.capture.poll.Poller").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("org.apache.kafka").getEffectiveLevel()).isEqualTo(Level.WARN);
  }

  @Test
  void stackTrace_hasAsManyLinesAsTheEnvironmentWants() {
    configure(Map.of("TIDEMARK_LOG_STACK", "2"));

    var event =
        new LoggingEvent("here", context.getLogger("a"), Level.WARN, "broken", new IllegalStateException(), null);
    assertThat(written(event).lines().filter(line -> line.contains(" at "))).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "TIDEMARK_LOG_LEVEL | loud | TIDEMARK_LOG_LEVEL: must be one of off, error, warn, info, debug, trace, "
        + "all, not 'loud'",
    "TIDEMARK_LIBRARY_LOG_LEVEL | 1 | TIDEMARK_LIBRARY_LOG_LEVEL: must be one of off, error, warn, info, debug, trace, "
        + "all, not '1'",
    "TIDEMARK_LOG_STACK | most | TIDEMARK_LOG_STACK: must be a number of lines, short or full, not 'most'"
  })
  void unknownValue_isRejectedInWords(String variable, String value, String message) {
    assertThatThrownBy(() -> LogSettings.of(Map.of(variable, value)::get)).hasMessage(message);
  }

  @Test
  void configurationFileOfTheUser_comesInstead() {
    System.setProperty("logback.configurationFile", "mine.xml");
    try {
      assertThat(new LogConfigurator(name -> null).configure(context)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
    } finally {
      System.clearProperty("logback.configurationFile");
    }
    assertThat(context.getLogger("ROOT").iteratorForAppenders()).isExhausted();
  }

  private void configure(Map<String, String> environment) {
    var configured = new LogConfigurator(environment::get).configure(context);

    assertThat(configured).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
  }

  private String written(String format, String message, @Nullable Throwable thrown, Object... arguments) {
    configure(Map.of("TIDEMARK_LOG", format));
    return written(
        new LoggingEvent("here", context.getLogger("io.tidemark.capture.poll.Poller"), Level.WARN, message, thrown,
            arguments));
  }

  private String written(LoggingEvent event) {
    var appender = (ConsoleAppender<ILoggingEvent>) context.getLogger("ROOT").iteratorForAppenders().next();
    return new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  private static JsonNode json(String line) throws Exception {
    return new ObjectMapper().readTree(line);
  }
}

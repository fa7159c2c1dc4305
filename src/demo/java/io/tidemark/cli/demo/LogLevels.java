package io.tidemark.cli.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.tidemark.app.log.LogSettings;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The log levels of a command whose output is for people. */
public final class LogLevels {

  private static final List<String> OF_KAFKA = List.of("org.apache.kafka", "kafka", "state.change");

  /**
   * The logger with which the embedded broker says why it ends the process, for example because it cannot use its data
   * folder. Without this logger, the process would end without a message.
   */
  private static final String FATAL_FAULT_LOGGER = "org.apache.kafka.server.fault.ProcessTerminatingFaultHandler";

  private LogLevels() {}

  /**
   * Limits Tidemark's log to warnings, and Kafka's log to the errors that end the process. Other libraries keep their
   * levels. Kafka's clients and broker complain about each other while they start and stop in one process.
   * Environment variables take precedence.
   */
  public static void quieten(UnaryOperator<@Nullable String> environment) {
    if (environment.apply(LogSettings.OWN_LEVEL) == null) {
      set("io.tidemark", Level.WARN);
    }
    if (environment.apply(LogSettings.LIBRARY_LEVEL) == null) {
      OF_KAFKA.forEach(LogLevels::silence);
      set(FATAL_FAULT_LOGGER, Level.ERROR);
    }
  }

  /** Turns off the loggers with a prefix, including those to which the configuration may have given other levels. */
  private static void silence(String prefix) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLoggerList().stream()
          .filter(logger -> logger.getName().startsWith(prefix + "."))
          .forEach(logger -> logger.setLevel(null));
      set(prefix, Level.OFF);
    }
  }

  private static void set(String logger, Level level) {
    if (LoggerFactory.getLogger(logger) instanceof Logger configured) {
      configured.setLevel(level);
    }
  }
}

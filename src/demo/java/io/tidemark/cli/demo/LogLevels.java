package io.tidemark.cli.demo;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.tidemark.cli.log.LogSettings;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The levels of the log of a command whose output is for people. */
public final class LogLevels {

  private static final List<String> OF_KAFKA = List.of("org.apache.kafka", "kafka", "state.change");

  /**
   * The logger by which the embedded broker says why it ends the process, as where its data folder cannot be used. Without
   * it, the process would end without a message.
   */
  private static final String FATAL_FAULT_LOGGER = "org.apache.kafka.server.fault.ProcessTerminatingFaultHandler";

  private LogLevels() {}

  /**
   * Leaves warnings of Tidemark, and of Kafka only what ends the process: its clients and broker complain of each other
   * while they start and stop in one process. The variables of the environment come first.
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

  /** Also the loggers below, which the configuration may have given levels of their own. */
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

package io.tidemark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.server.fault.ProcessTerminatingFaultHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogLevelsTest {

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Map<String, Level> before = new HashMap<>();

  @BeforeEach
  void remember() {
    context.getLoggerList().forEach(logger -> before.put(logger.getName(), logger.getLevel()));
  }

  @AfterEach
  void restore() {
    context.getLoggerList().forEach(logger -> logger.setLevel(before.get(logger.getName())));
  }

  @Test
  void kafkaIsSilent_exceptWhereItEndsTheProcess() {
    LogLevels.quieten(variable -> null);

    assertThat(LoggerFactory.getLogger("org.apache.kafka.clients.NetworkClient").isErrorEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger(ProcessTerminatingFaultHandler.class).isErrorEnabled()).isTrue();
  }
}

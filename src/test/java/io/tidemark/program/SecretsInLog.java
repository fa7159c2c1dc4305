package io.tidemark.program;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Collects everything logged at debug level that contains a secret, and the errors in the words of Netty and Reactor;
 * prints nothing of it.
 */
public final class SecretsInLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private static final List<String> ALL = List.of("io.tidemark", "io.netty", "reactor", "org.apache.kafka");

  public final List<String> lines = new CopyOnWriteArrayList<>();
  final List<String> networkErrors = new CopyOnWriteArrayList<>();
  private final String secret;
  private volatile long heard;

  public SecretsInLog(String secret) {
    this.secret = secret;
    start();
    loggers().forEach(logger -> {
      logger.setLevel(Level.DEBUG);
      logger.setAdditive(false);
      logger.addAppender(this);
    });
  }

  /** Whether anything at all was logged. */
  public boolean heardSomething() {
    return heard > 0;
  }

  @Override
  protected void append(ILoggingEvent event) {
    heard = 1;
    var thrown = event.getThrowableProxy();
    var line = event.getFormattedMessage() + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown));
    var isOfNetwork = event.getLoggerName().startsWith("reactor") || event.getLoggerName().startsWith("io.netty");
    if (isOfNetwork && event.getLevel() == Level.ERROR) {
      networkErrors.add(event.getLoggerName() + ": " + line);
    }
    if (line.contains(secret)) {
      lines.add(event.getLoggerName() + ": " + line);
    }
  }

  @Override
  public void close() {
    loggers().forEach(logger -> {
      logger.detachAppender(this);
      logger.setAdditive(true);
      logger.setLevel(logger.getName().equals("io.tidemark") ? Level.INFO : null);
    });
    stop();
  }

  private static Stream<Logger> loggers() {
    return ALL.stream().map(name -> (Logger) LoggerFactory.getLogger(name));
  }
}

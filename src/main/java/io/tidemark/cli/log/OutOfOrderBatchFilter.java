package io.tidemark.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Leaves out what the embedded broker says, as an error, of a batch that came before its turn while a transaction
 * begins: its producer sends it again, in order. A producer that cannot says so itself.
 */
public final class OutOfOrderBatchFilter extends TurboFilter {

  private static final String BROKER = "kafka.server.ReplicaManager";

  @Override
  public FilterReply decide(
      @Nullable Marker marker,
      Logger logger,
      Level level,
      @Nullable String format,
      Object @Nullable [] parameters,
      @Nullable Throwable thrown) {
    return thrown instanceof OutOfOrderSequenceException && logger.getName().equals(BROKER)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}

package io.tidemark.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Drops the errors that the embedded broker logs for batches that arrive out of order while a transaction begins: the
 * producer sends them again, in order, and reports itself where it cannot.
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

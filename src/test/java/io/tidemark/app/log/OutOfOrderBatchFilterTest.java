package io.tidemark.app.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.spi.FilterReply;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.junit.jupiter.api.Test;

class OutOfOrderBatchFilterTest {

  private final LoggerContext context = new LoggerContext();

  @Test
  void outOfOrderBatch_isDroppedFromTheBrokersLogOnly() {
    var early = new OutOfOrderSequenceException("7, 0 is due");

    assertThat(decide("kafka.server.ReplicaManager", early)).isEqualTo(FilterReply.DENY);
    assertThat(decide("kafka.server.ReplicaManager", new IllegalStateException("disk"))).isEqualTo(FilterReply.NEUTRAL);
    assertThat(decide("org.apache.kafka.clients.producer.KafkaProducer", early)).isEqualTo(FilterReply.NEUTRAL);
  }

  private FilterReply decide(String logger, Throwable thrown) {
    Logger named = context.getLogger(logger);
    return new LogConfigurator.OutOfOrderBatchFilter().decide(null, named, Level.ERROR, "append", null, thrown);
  }
}

package io.tidemark.ledger;

import io.tidemark.event.Watch;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the commands of a source from the topic {@code watch}. Of one thread. */
public final class CommandReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandReader.class);

  private final Consumer<byte[], byte[]> consumer;
  private final Topic<Watch> topic;
  private final AvroSerde<Watch> serde;

  private CommandReader(Consumer<byte[], byte[]> consumer, Topic<Watch> topic, AvroSerde<Watch> serde) {
    this.consumer = consumer;
    this.topic = topic;
    this.serde = serde;
  }

  /**
   * Reads the commands so far. Blocks until they are read.
   *
   * @throws LedgerFailure where Kafka does not answer
   */
  public static CommandReader open(LedgerSettings settings, SchemaRegistry registry,
      java.util.function.Consumer<Watch> soFar) {
    var topic = settings.topics().watch();
    var commands = new CommandReader(settings.consumer(), topic, topic.serde(registry));
    try {
      var all = new TopicRestore(commands.consumer, List.of(topic), settings.layout().partitions());
      all.readEach(record -> commands.read(record, soFar));
      return commands;
    } catch (RuntimeException e) {
      commands.close();
      throw LedgerFailure.of(settings.source(), "read the commands of the topic watch", e);
    }
  }

  /** Returns the commands since the last call. Does not wait. */
  public List<Watch> next() {
    var next = new ArrayList<Watch>();
    consumer.poll(Duration.ZERO).forEach(record -> read(record, next::add));
    return next;
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** Skips a command that cannot be read: no one who can write to the topic may stop the source. */
  private void read(ConsumerRecord<byte[], byte[]> record, java.util.function.Consumer<Watch> reader) {
    try {
      if (record.value() != null) {
        reader.accept(serde.decode(topic.name(), record.value()));
      }
    } catch (SerializationException | RegistryFailure.UnknownSchema e) {
      LOG.error("topic {}, partition {}, offset {}: the command cannot be read and is skipped: {}", record.topic(),
          record.partition(), record.offset(),
          e.getMessage());
    }
  }
}

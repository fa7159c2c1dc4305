package io.tidemark.ledger;

import io.tidemark.event.Watch;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.topic.SchemaRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the command line asks of a source, as it comes in the topic {@code watch}. Of one thread. */
public final class CommandReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CommandReader.class);

  private final Consumer<byte[], byte[]> consumer;
  private final TopicCodec<Watch> codec;

  private CommandReader(Consumer<byte[], byte[]> consumer, TopicCodec<Watch> codec) {
    this.consumer = consumer;
    this.codec = codec;
  }

  /**
   * Reads all words so far, and then those that come. Blocks until they are read.
   *
   * @throws LedgerFailure where Kafka does not give them
   */
  public static CommandReader open(LedgerSettings settings, SchemaRegistry registry,
      java.util.function.Consumer<Watch> sofar) {
    var topic = settings.topics().watch();
    var words = new CommandReader(LedgerClients.consumer(settings), new TopicCodec<>(topic, registry));
    try {
      var all = new TopicRestore(words.consumer, List.of(topic), settings.layout().partitions());
      all.readEach(record -> words.read(record, sofar));
      return words;
    } catch (RuntimeException e) {
      words.close();
      throw LedgerFailure.of(settings.source(), "read what the command line asks for", e);
    }
  }

  /** Those that came since the last time. Does not wait. */
  public List<Watch> next() {
    var next = new ArrayList<Watch>();
    consumer.poll(Duration.ZERO).forEach(record -> read(record, next::add));
    return next;
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** One that cannot be read is passed over: whoever can write there must not be able to stop the source. */
  private void read(ConsumerRecord<byte[], byte[]> record, java.util.function.Consumer<Watch> reader) {
    try {
      if (record.value() != null) {
        reader.accept(codec.decode(record.value()));
      }
    } catch (SerializationException | RegistryFailure.UnknownSchema e) {
      LOG.error("{}, partition {}, offset {}: passed over: {}", record.topic(), record.partition(), record.offset(),
          e.getMessage());
    }
  }
}

package io.tidemark.bench;

import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** A minimal Kafka Streams application with Tidemark's settings: exactly once, with the same kind of store. */
final class BareStreams {
  private static final String STORE = "bare";

  private BareStreams() {}

  /**
   * Starts an application that reads the same topics as Tidemark's without decoding them, and puts bytes into a store
   * on disk for each change.
   */
  static KafkaStreams startPutting(Topics topics, StreamSettings settings, double putsOfAChange, int bytesOfAPut) {
    var builder = new StreamsBuilder();
    builder.stream(StreamApplication.inputs(topics).stream().<String>map(Topic::name).toList(),
        Consumed.with(Serdes.String(), Serdes.ByteArray()).withName("inputs"))
        .process(new Puts(putsOfAChange, bytesOfAPut), Named.as("puts"));
    return start(builder, topics, settings);
  }

  private static KafkaStreams start(StreamsBuilder builder, Topics topics, StreamSettings settings) {
    var streams = new KafkaStreams(builder.build(), new StreamsConfig(settings.properties(topics.prefix())));
    streams.start();
    return streams;
  }

  private record Puts(double ofAChange, int bytes) implements ProcessorSupplier<String, byte[], String, byte[]> {
    @Override
    public Processor<String, byte[], String, byte[]> get() {
      return new PutProcessor(ofAChange, bytes);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(
          Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(STORE), Serdes.String(), Serdes.ByteArray()));
    }
  }

  /** A processor that puts the given number of values into a store per change, on average. */
  @SuppressWarnings("NullAway.Init") // Kafka calls init before all else
  private static final class PutProcessor implements Processor<String, byte[], String, byte[]> {
    private final double ofAChange;
    private final byte[] value;
    private ProcessorContext<String, byte[]> context;
    private KeyValueStore<String, byte[]> store;
    private double due;

    PutProcessor(double ofAChange, int bytes) {
      this.ofAChange = ofAChange;
      this.value = new byte[bytes];
      new Random(1).nextBytes(value);
    }

    @Override
    public void init(ProcessorContext<String, byte[]> context) {
      this.context = context;
      this.store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<String, byte[]> record) {
      var isChange = context.recordMetadata().map(each -> each.topic().endsWith(".changes")).orElse(false);
      due += isChange ? ofAChange : 0;
      for (var number = 0; due >= 1; number++) {
        store.put(record.key() + "/" + number, value);
        due--;
      }
    }
  }
}

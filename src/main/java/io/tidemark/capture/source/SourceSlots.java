package io.tidemark.capture.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.SourceSlot;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The slots of a cluster's sources. A slot is a partition of the topic {@link ClusterTopics#sources}. It belongs
 * permanently to the source that the first record in the partition names. If several instances claim the same free
 * slot, the first record wins, and the other instances claim the next free slot.
 */
public final class SourceSlots {

  private static final int ATTEMPTS = 20;
  /** Number of partitions that are created at a time. Most clusters never need more. */
  private static final int PARTITION_STEP = 8;

  private final Map<String, Object> kafka;
  private final Topic<SourceSlot> topic;
  private final SchemaRegistry registry;
  private final TopicSetup setup;

  private SourceSlots(Map<String, Object> kafka, Topic<SourceSlot> topic, SchemaRegistry registry, TopicSetup setup) {
    this.kafka = kafka;
    this.topic = topic;
    this.registry = registry;
    this.setup = setup;
  }

  /**
   * Claims a slot for each source that has none, and returns the slots of all given sources, in no particular order.
   * Blocks.
   *
   * @param sources sources, as records of which only the prefix and the source's name are used
   * @param kafka configuration that all Kafka clients share
   */
  public static List<SourceSlot> claim(
      Collection<SourceSlot> sources, Map<String, Object> kafka, ClusterTopics topics, SchemaRegistry registry,
      short replication) {
    try (var admin = Admin.create(kafka)) {
      var setup = new TopicSetup(admin, new TopicLayout(1, replication));
      return new SourceSlots(kafka, topics.sources(), registry, setup).claim(sources);
    }
  }

  /** Returns a name for a source that is unique in the cluster, made of its prefix and its name. */
  public static String key(SourceSlot source) {
    return source.getPrefix() + source.getSource();
  }

  /**
   * Claims the lowest free slot for each source that has none, for one source at a time, since parallel claims could
   * give one source two slots.
   */
  private List<SourceSlot> claim(Collection<SourceSlot> sources) {
    var claimed = claimed();
    for (var source : sources) {
      for (int attempt = 0; !claimed.containsValue(key(source)); attempt++) {
        if (attempt == ATTEMPTS) {
          throw new KafkaException(
              "no slot of the topic " + topic.name() + " could be claimed, because other instances claimed each free"
                  + " slot first; start this instance again");
        }
        write(source, growToLowestFree(claimed));
        claimed = claimed();
      }
    }
    return slotsOf(sources, claimed);
  }

  private static List<SourceSlot> slotsOf(Collection<SourceSlot> sources, Map<Integer, String> claimed) {
    return sources.stream()
        .flatMap(source -> claimed.entrySet().stream()
            .filter(slot -> slot.getValue().equals(key(source)))
            .map(slot -> SourceSlot.newBuilder(source).setSlot(slot.getKey()).build()))
        .toList();
  }

  /** Returns the claimed slots, each mapped to the key of its source. */
  private Map<Integer, String> claimed() {
    var claimed = new TreeMap<Integer, String>();
    try (var reader = new TopicReader(kafka, List.of(topic), registry)) {
      reader.readAll(record -> claimed.putIfAbsent(record.partition(), record.keyText()));
    }
    return claimed;
  }

  /** Returns the number of partitions that the topic of slots has if the given number of sources have slots. */
  public static int partitions(int sources) {
    return Math.ceilDiv(Math.max(1, sources), PARTITION_STEP) * PARTITION_STEP;
  }

  private int growToLowestFree(Map<Integer, String> claimed) {
    var free = IntStream.iterate(0, slot -> slot + 1).filter(slot -> !claimed.containsKey(slot)).findFirst().getAsInt();
    setup.grow(topic, partitions(free + 1));
    return free;
  }

  private void write(SourceSlot source, int free) {
    try (var producer = new KafkaProducer<>(producerConfig(), new ByteArraySerializer(), new ByteArraySerializer())) {
      var slot = SourceSlot.newBuilder(source).setSlot(free).setSince(Instant.now()).build();
      producer.send(new ProducerRecord<>(topic.name(), free, key(slot).getBytes(UTF_8),
          topic.serde(registry).encode(topic.name(), slot))).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while claiming a slot", e);
    } catch (ExecutionException e) {
      throw new KafkaException("cannot claim slot %d of the topic %s. Cause: %s"
          .formatted(free, topic.name(), e.getCause()), e.getCause());
    }
  }

  private Map<String, Object> producerConfig() {
    var config = new HashMap<>(kafka);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return config;
  }
}

package io.tidemark.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.Retention;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {

  static final String TOPIC = "tides";
  static final Duration POLL_TIMEOUT = Duration.ofMinutes(1);

  @TempDir
  Path data;

  @Test
  void startedAgainOnOtherPorts_keepsWhatWasCommitted() throws Exception {
    String before;
    try (var broker = EmbeddedBroker.start(new BrokerSettings(0, data))) {
      before = broker.bootstrapServers();
      createTopic(before);
      commit(before, "ebb", "flow");
    }

    try (var old = new ServerSocket();
        var broker = EmbeddedBroker.start(new BrokerSettings(occupied(old, before), data))) {
      assertThat(broker.bootstrapServers()).isNotEqualTo(before);
      assertThat(committed(broker.bootstrapServers())).containsExactly("ebb", "flow");
    }
  }

  @Test
  void takenPort_isNamed() throws Exception {
    try (var other = new ServerSocket()) {
      other.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

      assertThatThrownBy(() -> EmbeddedBroker.start(new BrokerSettings(other.getLocalPort(), data)))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("port " + other.getLocalPort() + " is taken");
    }
  }

  @Test
  void limitedPartitions_haveSegmentsThatCanBeDeletedOneByOne() throws Exception {
    var limited = new BrokerSettings(0, 0, data, 32 << 20);

    assertThat(BrokerConfig.of(BrokerPorts.reserve(0), limited))
        .containsEntry("log.retention.bytes", 32L << 20)
        .containsEntry("log.segment.bytes", 4 << 20);
  }

  /** A demo that was stopped for long continues at its offsets. */
  @Test
  void offsets_areKeptAsLongAsAlerts() throws Exception {
    assertThat(BrokerConfig.of(BrokerPorts.reserve(0), new BrokerSettings(0, data)))
        .containsEntry("offsets.retention.minutes", 90 * 24 * 60);
    assertThat(Retention.DEFAULT.alerts()).isEqualTo(Duration.ofDays(90));
  }

  /** Takes the address, so that a broker on any free port (the 0 this returns) gets another. */
  private static int occupied(ServerSocket socket, String address) throws Exception {
    var port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return 0;
  }

  private static void createTopic(String servers) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
    }
  }

  private static void commit(String servers, String... values) {
    Map<String, Object> config = Map.of("bootstrap.servers", servers, "transactional.id", "broker-test");
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      for (var value : values) {
        producer.send(new ProducerRecord<>(TOPIC, value));
      }
      producer.commitTransaction();
    }
  }

  private static List<String> committed(String servers) {
    Map<String, Object> config = Map.of("bootstrap.servers", servers, "isolation.level", "read_committed");
    try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      var partition = new TopicPartition(TOPIC, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      return consumer.poll(POLL_TIMEOUT).records(partition).stream().map(record -> record.value()).toList();
    }
  }
}

package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LedgerSettingsTest {

  /** Kafka's producer refuses a delivery timeout below the sum of the other two times. */
  @ParameterizedTest
  @CsvSource(nullValues = "-", value = {
    "-,      -,     -,      30000",
    "60000,  -,     -,      60005",
    "60000,  1000,  -,      61000",
    "60000,  -,     120000, 120000",
  })
  void deliveryTimeout_fitsTheOtherTimesOfTheUser(String request, String linger, String delivery, String expected) {
    var properties = new HashMap<String, Object>(Map.of("bootstrap.servers", "127.0.0.1:1"));
    put(properties, "request.timeout.ms", request);
    put(properties, "linger.ms", linger);
    put(properties, "delivery.timeout.ms", delivery);
    var config = new LedgerSettings("main", "instance-1", new Topics("t.", Retention.DEFAULT),
        new TopicLayout(1, (short) 1), properties, Duration.ofMinutes(16)).producerConfig();

    new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()).close(Duration.ZERO);

    assertThat(config.get("delivery.timeout.ms")).hasToString(expected);
  }

  private static void put(Map<String, Object> properties, String name, String value) {
    if (value != null) {
      properties.put(name, value);
    }
  }
}

package io.tidemark.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.flipkart.zjsonpatch.JsonDiff;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A poller like the ones that users run to watch pools without Tidemark. It requests each URL in turn at a fixed
 * interval, and keeps the last JSON of each pool in memory. It publishes a pool whole if the pool is new to it, and
 * otherwise the JSON patch (RFC 6902) from the last JSON of the pool.
 */
final class JsonDiffPoller {
  static final String PATCH = "patch";
  static final String POOL = "pool";

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final Map<String, JsonNode> last = new HashMap<>();
  private final Producer<String, String> producer;
  private final String topic;
  private final String keyHeader;
  private final String key;

  private JsonDiffPoller(Producer<String, String> producer, String topic, String keyHeader, String key) {
    this.producer = producer;
    this.topic = topic;
    this.keyHeader = keyHeader;
    this.key = key;
  }

  /**
   * Runs the poller. The arguments are the bootstrap servers, the topic, the header of the key, the key, the interval
   * in milliseconds, and the URLs.
   */
  public static void main(String[] arguments) throws InterruptedException {
    Map<String, Object> config = Map.of(
        "bootstrap.servers", arguments[0], "acks", "all", "compression.type", "lz4", "linger.ms", 20);
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      var poller = new JsonDiffPoller(producer, arguments[1], arguments[2], arguments[3]);
      poller.run(Duration.ofMillis(Long.parseLong(arguments[4])),
          Arrays.asList(arguments).subList(5, arguments.length));
    }
  }

  private void run(Duration interval, List<String> urls) throws InterruptedException {
    var next = System.nanoTime();
    for (var number = 0;; number++) {
      var url = urls.get(number % urls.size());
      try {
        poll(url);
      } catch (IOException e) {
        System.err.println("poll of " + url + " failed: " + e);
      }
      next += interval.toNanos();
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
  }

  private void poll(String url) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).header(keyHeader, key).build();
    var response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() == 200) {
      for (var pool : pools(JSON.readTree(response.body()))) {
        publish(pool);
      }
    }
  }

  /** Returns the pools of an answer. */
  static Iterable<JsonNode> pools(JsonNode answer) {
    var data = answer.path("data");
    return data.isArray() ? data : List.of(data);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // as with any producer that retries
  private void publish(JsonNode pool) {
    var id = pool.path("id").asText();
    var before = last.put(id, pool);
    var message = JSON.createObjectNode().put("id", id).put("observed_at", Instant.now().toString());
    if (before == null) {
      message.set(POOL, pool);
    } else {
      var patch = JsonDiff.asJson(before, pool);
      if (patch.isEmpty()) {
        return;
      }
      message.set(PATCH, patch);
    }
    producer.send(new ProducerRecord<>(topic, id, message.toString()));
  }
}

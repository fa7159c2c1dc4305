package io.tidemark.config;

import static java.util.Objects.requireNonNull;

import io.tidemark.yaml.DurationFormat;
import io.tidemark.yaml.YamlSection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka to use: a cluster, or an embedded broker.
 *
 * @param bootstrapServers null for the embedded broker
 * @param embedded null for a cluster; its folder is {@code kafka} in the configured one
 * @param properties further properties of all Kafka clients
 * @param openTransactionWait how long a session waits for the end of a foreign transaction on a state topic
 */
public record KafkaSettings(
    @Nullable String bootstrapServers, @Nullable BrokerSettings embedded,
    Map<String, String> properties, Duration openTransactionWait) {

  /** Client properties whose value is a secret. */
  private static final Pattern SECRET =
      Pattern.compile("(?<name>.*(password|jaas\\.config|keystore\\.key|secret))(-file)?");

  public KafkaSettings {
    properties = Map.copyOf(properties);
  }

  static KafkaSettings read(YamlSection in) {
    in.only("bootstrap-servers", "embedded", "properties", "open-transaction-wait");
    var servers = in.text("bootstrap-servers");
    if (servers != null && in.has("embedded")) {
      throw in.invalid("embedded", "either this or bootstrap-servers, not both");
    }
    var embedded = in.has("embedded") ? embedded(in.section("embedded")) : null;
    var cluster = embedded != null ? null : servers == null ? "localhost:9092" : servers;
    var wait = in.get("open-transaction-wait", "16m");
    return new KafkaSettings(cluster, embedded, properties(in.section("properties")),
        wait.duration(DurationFormat.OF_CONFIGURATION));
  }

  private static BrokerSettings embedded(YamlSection in) {
    in.only("port", "data", "retention-bytes");
    var folder = in.file(in.get("data", "./data")).resolve("kafka");
    var port = in.get("port", "9092");
    var number = port.integer();
    var retention = in.get("retention-bytes", "-1");
    var bytes = retention.integer();
    var unlimited = port.as(text -> new BrokerSettings(number, folder));
    return retention.as(text -> unlimited.withRetention(bytes));
  }

  /** A secret among them comes from a variable, or from the file that {@code <name>-file} names. */
  private static Map<String, String> properties(YamlSection in) {
    var properties = new HashMap<String, String>();
    for (var key : in.keys()) {
      var secret = SECRET.matcher(key);
      if (secret.matches()) {
        properties.put(secret.group("name"), requireNonNull(in.secretWithin(secret.group("name"))).value());
      } else {
        properties.put(key, in.required(key).text());
      }
    }
    return properties;
  }
}

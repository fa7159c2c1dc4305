package io.tidemark.config;

import static java.util.Objects.requireNonNull;

import io.tidemark.embedded.EmbeddedBroker;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which Kafka: a cluster, or one that runs in this program.
 *
 * @param bootstrapServers null where the embedded broker is meant
 * @param embedded null where a cluster is meant; its folder is {@code kafka} in the configured one
 * @param properties anything else a Kafka client takes
 */
public record KafkaSettings(
    @Nullable String bootstrapServers, EmbeddedBroker.@Nullable BrokerSettings embedded,
    Map<String, String> properties) {

  /** Client properties whose value nobody should see. */
  private static final Pattern SECRET =
      Pattern.compile("(?<name>.*(password|jaas\\.config|keystore\\.key|secret))(-file)?");

  public KafkaSettings {
    properties = Map.copyOf(properties);
  }

  static KafkaSettings read(Section in) {
    in.only("bootstrap-servers", "embedded", "properties");
    var servers = in.find("bootstrap-servers");
    if (servers != null && in.has("embedded")) {
      throw in.refused("embedded", "either this or bootstrap-servers, not both");
    }
    var embedded = in.has("embedded") ? embedded(in.section("embedded")) : null;
    var cluster = embedded != null ? null : servers == null ? "localhost:9092" : servers.text();
    return new KafkaSettings(cluster, embedded, properties(in.section("properties")));
  }

  private static EmbeddedBroker.BrokerSettings embedded(Section in) {
    in.only("port", "data");
    var folder = in.file(in.get("data", "./data")).resolve("kafka");
    var port = in.get("port", "9092");
    var number = port.whole();
    return port.made(text -> new EmbeddedBroker.BrokerSettings(number, folder));
  }

  /** Secrets among them are read as such: of a variable, or of a file that {@code <name>-file} names. */
  private static Map<String, String> properties(Section in) {
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

package io.tidemark.app.config;

import io.tidemark.event.DurationFormat;
import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.TransactionProtocol;
import io.tidemark.yaml.YamlSection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka to use: a cluster, or an embedded broker.
 *
 * @param bootstrapServers addresses of the cluster; null for the embedded broker
 * @param embedded settings of the embedded broker, which stores its data in the subfolder {@code kafka} of the
 *     configured folder; null for a cluster
 * @param properties further properties of all Kafka clients
 * @param openTransactionWait how long a session waits for another producer's transaction on a state topic to end
 * @param requiredTransactionVersion lowest {@code transaction.version} of a cluster with which the program runs; 0 for
 *     any
 */
public record KafkaSettings(
    @Nullable String bootstrapServers, @Nullable BrokerSettings embedded,
    Map<String, String> properties, Duration openTransactionWait, int requiredTransactionVersion) {

  /** Client properties whose value is a secret. */
  private static final Pattern SECRET =
      Pattern.compile("(?<name>.*(password|passphrase|jaas\\.config|keystore\\.key|secret))(-file)?");

  /** Properties on which exactly-once depends, each with a pattern of its allowed values. */
  private static final Map<String, String> OF_EXACTLY_ONCE = Map.of(
      "acks", "all|-1",
      "enable.idempotence", "true",
      "retries", "[1-9]\\d*",
      "max.in.flight.requests.per.connection", "[1-5]",
      "isolation.level", "read_committed",
      "enable.auto.commit", "false",
      "processing.guarantee", "exactly_once_v2");

  /**
   * Properties that the program sets itself, for the clients that have them. The configuration must not contain them.
   */
  private static final Set<String> OF_THE_PROGRAM = Set.of("bootstrap.servers", "transactional.id", "application.id",
      "group.id", "group.instance.id", "group.protocol", "partitioner.class", "key.serializer", "value.serializer",
      "key.deserializer", "value.deserializer");

  /** Properties that name files, such as {@code ssl.truststore.location}. */
  private static final Pattern FILE = Pattern.compile("ssl\\..*\\.location|sasl\\..*\\.file");

  /** Least retention of the embedded broker, in bytes. */
  private static final int LEAST_RETENTION = 8 << 20;

  static KafkaSettings read(YamlSection in) {
    in.only("bootstrap-servers", "embedded", "properties", "open-transaction-wait", "require-transaction-version");
    var servers = in.text("bootstrap-servers");
    var section = in.optional("embedded", "port", "data", "retention-bytes");
    if (servers != null && section != null) {
      throw in.invalid("embedded", "set either embedded or bootstrap-servers, not both");
    }
    var embedded = section == null ? null : embedded(section);
    var cluster = embedded != null ? null : servers == null ? "localhost:9092" : servers;
    var wait = in.get("open-transaction-wait", "16m");
    return new KafkaSettings(cluster, embedded, properties(in.section("properties")),
        wait.duration(DurationFormat.OF_CONFIGURATION), in.get("require-transaction-version", "0").integer(0,
            TransactionProtocol.SAFE, "0 (any version) to " + TransactionProtocol.SAFE));
  }

  private static String text(YamlSection in, String key) {
    var name = key.replaceFirst("^(main\\.|global\\.|restore\\.)?(consumer|producer|admin)\\.", "");
    if (OF_THE_PROGRAM.contains(name)) {
      throw in.invalid(key, "the program sets this itself; leave it out");
    }
    var value = in.required(key);
    var text = value.text();
    var needed = OF_EXACTLY_ONCE.get(name);
    if (needed != null && !text.toLowerCase(Locale.ROOT).matches(needed)) {
      throw in.invalid(key, "exactly-once forbids '" + text + "'; leave this property out");
    }
    return FILE.matcher(name).matches() ? in.file(value).toString() : text;
  }

  /**
   * Rejects properties with values that are invalid for a producer, a consumer or an admin client, by creating the
   * configuration of each.
   */
  private static void checkClients(YamlSection in, Map<String, String> properties) {
    var config = new HashMap<String, Object>(properties);
    config.put("bootstrap.servers", "localhost:9092");
    config.put("key.serializer", ByteArraySerializer.class);
    config.put("value.serializer", ByteArraySerializer.class);
    config.put("key.deserializer", ByteArrayDeserializer.class);
    config.put("value.deserializer", ByteArrayDeserializer.class);
    try {
      new ProducerConfig(config);
      new ConsumerConfig(config);
      new AdminClientConfig(config);
    } catch (ConfigException e) {
      throw in.invalid(String.valueOf(e.getMessage()));
    }
    var login = properties.get(SaslConfigs.SASL_JAAS_CONFIG);
    if (login != null) {
      try {
        JaasContext.loadClientContext(Map.of(SaslConfigs.SASL_JAAS_CONFIG, new Password(login)));
      } catch (IllegalArgumentException | KafkaException e) {
        // without Kafka's message, which quotes a part of the line and so perhaps of the password
        throw in.invalid(SaslConfigs.SASL_JAAS_CONFIG, "not a line of the form 'CLASS required name=\"value\" ...;'");
      }
    }
  }

  private static BrokerSettings embedded(YamlSection in) {
    var folder = in.file(in.get("data", "./data")).resolve("kafka");
    var port = in.get("port", "9092").integer(0, 65_535, "0 (any free port) to 65535");
    var retention = in.get("retention-bytes", Long.toString(BrokerSettings.UNLIMITED));
    var bytes = retention.integer();
    if (bytes != BrokerSettings.UNLIMITED && bytes < LEAST_RETENTION) {
      throw retention.invalid("must be at least %d, or -1 for no limit, got %d".formatted(LEAST_RETENTION, bytes));
    }
    return new BrokerSettings(port, 0, folder, bytes);
  }

  /** The value of a secret comes from an environment variable, or from the file that {@code <name>-file} names. */
  private static Map<String, String> properties(YamlSection in) {
    var properties = new HashMap<String, String>();
    for (var key : in.keys()) {
      var secret = SECRET.matcher(key);
      if (secret.matches()) {
        var value = in.secretWithin(secret.group("name"));
        if (value == null) {
          throw in.invalid(key, "has no value");
        }
        properties.put(secret.group("name"), value.value());
      } else {
        properties.put(key, text(in, key));
      }
    }
    checkClients(in, properties);
    return properties;
  }
}

package io.tidemark.kafka.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a test comes to a Kafka.
 *
 * @param properties what clients need besides: TLS, a login
 */
public record KafkaAccess(String bootstrapServers, Map<String, String> properties) {

  private static final String LOGIN = "sasl.jaas.config";

  /** To one that asks for nothing. */
  public static KafkaAccess open(String bootstrapServers) {
    return new KafkaAccess(bootstrapServers, Map.of());
  }

  /** To one that demands TLS and a login. */
  static KafkaAccess login(String bootstrapServers, Path ca, String mechanism, String login) {
    return new KafkaAccess(bootstrapServers, Map.of(
        "security.protocol", "SASL_SSL",
        "sasl.mechanism", mechanism,
        LOGIN, login,
        "ssl.truststore.type", "PEM",
        "ssl.truststore.location", ca.toString()));
  }

  /** The line of JAAS of someone with a password. */
  static String scram(String user, String password) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(user, password);
  }

  /** What any client is made with. */
  public Map<String, Object> client() {
    var client = new HashMap<String, Object>(properties);
    client.put("bootstrap.servers", bootstrapServers);
    return client;
  }

  /** The line {@code kafka} of a configuration; the login lies in a file of the folder. */
  public String section(Path folder) throws IOException {
    var section = new TreeMap<>(properties);
    var login = section.remove(LOGIN);
    if (login != null) {
      var file = Files.createTempFile(folder, "login-", ".jaas");
      section.put(LOGIN + "-file", Files.writeString(file, login).toString());
    }
    return "kafka: { bootstrap-servers: \"%s\", properties: { %s } }%n".formatted(bootstrapServers,
        section.entrySet().stream().map(each -> each.getKey() + ": \"" + each.getValue() + "\"")
            .collect(Collectors.joining(", ")));
  }
}

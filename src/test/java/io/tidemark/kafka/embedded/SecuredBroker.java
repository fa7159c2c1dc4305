package io.tidemark.kafka.embedded;

import io.tidemark.kafka.BrokerSettings;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A broker that demands TLS and a login (SCRAM-SHA-512), and allows nothing that no ACL allows. */
public final class SecuredBroker implements AutoCloseable {

  public static final String ADMIN = "admin";

  private final KafkaRaftServer server;
  private final String bootstrapServers;
  private final Path ca;
  private final Map<String, String> passwords;

  /** @param passwords of those who may log in, by name; {@value #ADMIN} may do everything */
  public SecuredBroker(Path folder, Certificates certificates, Map<String, String> passwords) throws Exception {
    var ports = BrokerPorts.reserve(0);
    var data = Files.createDirectories(folder.resolve("broker"));
    this.ca = certificates.ca();
    this.passwords = Map.copyOf(passwords);
    this.bootstrapServers = "127.0.0.1:" + ports.client();
    format(data);
    var config = new HashMap<>(BrokerConfig.of(ports, new BrokerSettings(ports.client(), data)));
    config.putAll(security(config, certificates));
    this.server = new KafkaRaftServer(new KafkaConfig(config), Time.SYSTEM);
    server.startup();
  }

  /** How someone comes to it. */
  public KafkaAccess access(String user) {
    return access(user, passwords.get(user));
  }

  public KafkaAccess access(String user, String password) {
    return KafkaAccess.login(bootstrapServers, ca, "SCRAM-SHA-512", KafkaAccess.scram(user, password));
  }

  /** The requests of a user so far. */
  public List<AuthorizationRequest> requests(String user) {
    return RecordingAuthorizer.requests(bootstrapServers).stream().filter(each -> each.user().equals(user)).toList();
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** Controllers trust each other here: their listener takes no clients. */
  private Map<String, Object> security(Map<String, Object> plain, Certificates certificates) {
    return Map.ofEntries(
        Map.entry("listeners", plain.get("listeners").toString().replace("PLAINTEXT://", "SASL_SSL://")),
        Map.entry("advertised.listeners", "SASL_SSL://" + bootstrapServers),
        Map.entry("listener.security.protocol.map", "SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT"),
        Map.entry("inter.broker.listener.name", "SASL_SSL"),
        Map.entry("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512"),
        Map.entry("sasl.enabled.mechanisms", "SCRAM-SHA-512"),
        Map.entry("listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
            KafkaAccess.scram(ADMIN, passwords.get(ADMIN))),
        Map.entry("ssl.keystore.type", "PKCS12"),
        Map.entry("ssl.keystore.location", certificates.keyStore().toString()),
        Map.entry("ssl.keystore.password", Certificates.PASSWORD),
        Map.entry("ssl.truststore.type", "PEM"),
        Map.entry("ssl.truststore.location", ca.toString()),
        Map.entry("authorizer.class.name", RecordingAuthorizer.class.getName()),
        Map.entry(RecordingAuthorizer.BROKER, bootstrapServers),
        Map.entry("super.users", "User:" + ADMIN + ";User:ANONYMOUS"));
  }

  private void format(Path data) throws Exception {
    new Formatter()
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(BrokerConfig.NODE_ID)
        .setDirectories(List.of(data.toString()))
        .setMetadataLogDirectory(data.toString())
        .setControllerListenerName(BrokerConfig.CONTROLLER)
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setScramArguments(passwords.entrySet().stream()
            .map(each -> "SCRAM-SHA-512=[name=%s,password=%s]".formatted(each.getKey(), each.getValue()))
            .toList())
        .run();
  }
}

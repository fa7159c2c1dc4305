package io.tidemark.kafka.embedded;

import com.github.dockerjava.api.command.CreateContainerCmd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.MountableFile;

/**
 * The Kafka of the end-to-end suites: not ours, in a container, with TLS, a login, and the rights that docs/running/security.md
 * names and no more. Where there is no Docker, it is the embedded one, which asks for nothing. One for a test JVM.
 */
public final class EndToEndKafka {

  private static final String IMAGE = "apache/kafka:4.3.1";
  private static final String KEY_STORE = "/etc/kafka/secrets/server.p12";
  private static final String USER = "tidemark";
  private static final String PASSWORD = "pass-71d0";
  private static final String ADMIN_PASSWORD = "admin-c4e2";

  private EndToEndKafka() {}

  /** How the program comes to it. */
  public static KafkaAccess access() {
    return Shared.CONTAINER == null
        ? SharedBroker.access()
        : KafkaAccess.login(Shared.CONTAINER.getBootstrapServers(), Shared.CERTIFICATES.ca(), "SCRAM-SHA-512",
            KafkaAccess.scram(USER, PASSWORD));
  }

  /** A topic prefix that no other test of this JVM gets; the program has its rights there. */
  public static String freshPrefix() {
    var prefix = SharedBroker.freshPrefix();
    if (Shared.CONTAINER != null) {
      try (var admin = Shared.admin(Shared.CONTAINER)) {
        Grants.add(admin, DocumentedAcls.ofTidemark(USER, prefix));
      }
    }
    return prefix;
  }

  private static final class Shared {

    static final Certificates CERTIFICATES = Certificates.in(folder());
    static final KafkaContainer CONTAINER = DockerClientFactory.instance().isDockerAvailable() ? start() : null;

    private static KafkaContainer start() {
      var container = new KafkaContainer(IMAGE)
          .withCreateContainerCmdModifier(Shared::asRoot)
          .withCopyFileToContainer(MountableFile.forHostPath(CERTIFICATES.keyStore()), KEY_STORE)
          .withEnv(demands().entrySet().stream()
              .collect(Collectors.toMap(each -> variable(each.getKey()), Map.Entry::getValue)))
          .withEnv("KAFKA_HEAP_OPTS", "-Xms256m -Xmx512m");
      container.start();
      Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
      try (var admin = admin(container)) {
        var scram = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
        Grants.addUser(admin, new UserScramCredentialUpsertion(USER, scram, PASSWORD));
      }
      return container;
    }

    /** Kafka writes its configuration at start, which in some builds of the image only root may. */
    private static void asRoot(CreateContainerCmd command) {
      command.withUser("root");
    }

    /** The listener for clients bears the name PLAINTEXT there, whatever it demands; the others are not reachable. */
    private static Map<String, String> demands() {
      return Map.ofEntries(
          Map.entry("listener.security.protocol.map", "PLAINTEXT:SASL_SSL,BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT"),
          Map.entry("listener.name.plaintext.sasl.enabled.mechanisms", "SCRAM-SHA-512,PLAIN"),
          Map.entry("listener.name.plaintext.scram-sha-512.sasl.jaas.config",
              "org.apache.kafka.common.security.scram.ScramLoginModule required;"),
          Map.entry("listener.name.plaintext.plain.sasl.jaas.config",
              plain() + " user_admin=\"" + ADMIN_PASSWORD + "\";"),
          Map.entry("listener.name.plaintext.ssl.keystore.type", "PKCS12"),
          Map.entry("listener.name.plaintext.ssl.keystore.location", KEY_STORE),
          Map.entry("listener.name.plaintext.ssl.keystore.password", Certificates.PASSWORD),
          Map.entry("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"),
          Map.entry("super.users", "User:admin;User:ANONYMOUS"),
          Map.entry("transaction.state.log.num.partitions", "1"));
    }

    /** The environment variable that the image takes a property from. */
    private static String variable(String property) {
      return "KAFKA_" + property.replace("_", "__").replace("-", "___").replace(".", "_").toUpperCase(Locale.ROOT);
    }

    /** An administrator is there from the beginning; users with SCRAM can only be made afterwards. */
    static Admin admin(KafkaContainer container) {
      var login = plain() + " username=\"admin\" password=\"" + ADMIN_PASSWORD + "\";";
      return Admin.create(
          KafkaAccess.login(container.getBootstrapServers(), CERTIFICATES.ca(), "PLAIN", login).client());
    }

    private static String plain() {
      return "org.apache.kafka.common.security.plain.PlainLoginModule required";
    }

    private static Path folder() {
      try {
        return Files.createTempDirectory("tidemark-certificates");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

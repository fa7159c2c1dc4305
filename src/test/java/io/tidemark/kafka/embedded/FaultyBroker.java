package io.tidemark.kafka.embedded;

import io.tidemark.kafka.BrokerSettings;
import java.io.IOException;
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
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A broker that allows whatever no ACL denies, and has a second disk, which can break. */
public final class FaultyBroker implements AutoCloseable {

  /** How soon a broken disk is noticed. */
  private static final int CHECKPOINT_MILLIS = 200;

  private final Path first;
  private final Path second;
  private final Map<String, Object> config;
  private final String bootstrapServers;
  private KafkaRaftServer server;

  public FaultyBroker(Path folder) throws Exception {
    first = Files.createDirectories(folder.resolve("first"));
    second = Files.createDirectories(folder.resolve("second"));
    format();
    var ports = BrokerPorts.reserve(0);
    bootstrapServers = "127.0.0.1:" + ports.client();
    config = new HashMap<>(BrokerConfig.of(ports, new BrokerSettings(ports.client(), first)));
    config.putAll(Map.of(
        "log.dirs", first + "," + second,
        "metadata.log.dir", first.toString(),
        "log.flush.offset.checkpoint.interval.ms", CHECKPOINT_MILLIS,
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "allow.everyone.if.no.acl.found", true));
    server = started();
  }

  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** The folder of the disk that can break. */
  public Path disk() {
    return second;
  }

  /** From now on nothing can be made on the second disk: the broker notices, and gives up all that is on it. */
  public void breakDisk() throws IOException {
    Files.move(second, missing());
    Files.createFile(second);
  }

  /** The disk is whole again, with all that was on it; the broker starts anew. */
  public void repairDisk() throws IOException {
    close();
    Files.delete(second);
    Files.move(missing(), second);
    server = started();
  }

  /** What takes the right to write a topic away from everybody, and leaves all others. */
  public static List<AclBinding> readOnly(String topic) {
    var pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
    return List.of(
        new AclBinding(pattern, new AccessControlEntry("User:*", "*", AclOperation.ALL, AclPermissionType.ALLOW)),
        new AclBinding(pattern, new AccessControlEntry("User:*", "*", AclOperation.WRITE, AclPermissionType.DENY)));
  }

  /** What finds the same again, to be taken back. */
  public static List<AclBindingFilter> filters(String topic) {
    return readOnly(topic).stream().map(AclBinding::toFilter).toList();
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private Path missing() {
    return second.resolveSibling("missing");
  }

  private KafkaRaftServer started() {
    var started = new KafkaRaftServer(new KafkaConfig(config), Time.SYSTEM);
    started.startup();
    return started;
  }

  private void format() throws Exception {
    new Formatter()
        .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .setClusterId(Uuid.randomUuid().toString())
        .setNodeId(BrokerConfig.NODE_ID)
        .setDirectories(List.of(first.toString(), second.toString()))
        .setMetadataLogDirectory(first.toString())
        .setControllerListenerName(BrokerConfig.CONTROLLER)
        .setReleaseVersion(MetadataVersion.latestProduction())
        .run();
  }
}

package io.tidemark.kafka;

import static java.util.Objects.requireNonNull;

import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;

/**
 * The registry that the owner of a source uses. The newest records of {@code source.state} name its kind (built-in or
 * external), and their schemas are in it. A reader with another registry can read no record, and would take all records
 * for lost.
 */
public final class OwnersRegistry {

  /**
   * Number of offsets to read at the end of each partition of {@code source.state}. It is large enough that at least
   * one of these offsets has a committed record in the partition of the source's key. The other partitions have no
   * records of the source.
   */
  private static final int NEWEST = 100;
  private static final int TIMEOUT_MS = 5_000;

  private OwnersRegistry() {}

  /**
   * Requires that a command uses the same kind of registry as the owner of the source, and that an external one knows
   * the schemas of the newest states. Does nothing if the source has no state.
   *
   * @param client configuration that all clients of the cluster share
   * @param work what the command does, as the words after {@code cannot}
   * @throws SchemaRegistryFailure if the registry of the command is another one, or does not answer
   * @throws KafkaException if Kafka does not answer
   */
  public static void requireSame(Topics topics, SchemaRegistry registry, Map<String, Object> client, String work) {
    var bounded = new HashMap<>(client);
    bounded.put("default.api.timeout.ms", TIMEOUT_MS);
    bounded.put("request.timeout.ms", TIMEOUT_MS);
    // the header names the kind of registry; to read it, any registry will do
    readNewestStates(topics, new BuiltInRegistry(List.of()), bounded, state -> requireSame(state, registry, work));
    if (registry instanceof ConfluentRegistry) {
      try {
        readNewestStates(topics, registry, bounded, state -> {
          if (state.unreadable() != null && !state.header(RecordHeader.REGISTRY.wire()).isEmpty()) {
            throw wrongRegistry(registry, work, state.unreadable().detail());
          }
        });
      } catch (SchemaRegistryFailure.RegistryUnreachable e) {
        throw e.getCause() instanceof SchemaRegistryFailure.UnknownSchema unknown
            ? wrongRegistry(registry, work, String.valueOf(unknown.getMessage())) : e;
      }
    }
  }

  private static void readNewestStates(
      Topics topics, SchemaRegistry registry, Map<String, Object> client, Consumer<CommittedRecord> consumer) {
    var sourceState = topics.sourceState();
    try (var reader = new TopicReader(client, List.of(sourceState), registry)) {
      var offsets = reader.offsets();
      var partitions = offsets.partitions(List.of(sourceState.name()));
      var begins = offsets.earliest(partitions);
      offsets.latest(partitions).forEach((each, end) -> reader.read(
          new OffsetRange(each.topic(), each.partition(),
              Math.max(requireNonNull(begins.get(each)), end - NEWEST), end),
          consumer));
    }
  }

  private static SchemaRegistryFailure wrongRegistry(SchemaRegistry registry, String work, String problem) {
    return new SchemaRegistryFailure.UnknownSchema(
        ("cannot %s: %s does not have the schemas of the newest states of this source, so it is probably not the"
            + " registry that the source uses (%s). Give the URL of that one").formatted(work, registry, problem));
  }

  private static void requireSame(CommittedRecord state, SchemaRegistry registry, String work) {
    var owners = state.header(RecordHeader.REGISTRY.wire());
    if (!owners.isEmpty() && !owners.equals(registry.identity())) {
      throw new SchemaRegistryFailure.UnknownSchema(
          "cannot %s: the schemas of this source are in %s registry, but this command uses %s one. %s"
              .formatted(work, article(owners), article(registry.identity()),
                  owners.equals(ConfluentRegistry.IDENTITY)
                      ? "Give the URL of the external one with --registry, or with registry.url in the file of --config"
                      : "Leave out --registry and registry.url"));
    }
  }

  private static String article(String identity) {
    return (identity.equals(ConfluentRegistry.IDENTITY) ? "an " : "the ") + identity;
  }
}

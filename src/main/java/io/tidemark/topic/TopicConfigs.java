package io.tidemark.topic;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration of topics: what they are created with, and what is put right in those that exist. */
final class TopicConfigs {

  private static final Logger LOG = LoggerFactory.getLogger(TopicConfigs.class);

  /** For a batch; a single record is bounded by the ledger at a fraction of it. */
  private static final long LARGEST_BATCH = 8L << 20;

  private static final String LARGEST = "max.message.bytes";
  private static final String CLEANUP = "cleanup.policy";

  private final Admin admin;

  TopicConfigs(Admin admin) {
    this.admin = admin;
  }

  static Map<String, String> of(Topic<?> topic) {
    var configs = new HashMap<>(topic.cleanup().config());
    configs.put("message.timestamp.type", "CreateTime");
    configs.put(LARGEST, Long.toString(LARGEST_BATCH));
    return configs;
  }

  /** Brings existing topics to what is wanted; only where the kind of cleanup differs, it refuses. */
  void align(List<Topic<?>> existing) {
    var described = admin.describeConfigs(existing.stream().map(TopicConfigs::resource).toList()).values();
    var changes = new HashMap<ConfigResource, Collection<AlterConfigOp>>();
    for (var topic : existing) {
      var config =
          AdminCalls.await(requireNonNull(described.get(resource(topic))),
              "read the configuration of topic " + topic.name());
      var differing = differing(topic, config);
      if (!differing.isEmpty()) {
        LOG.info("topic {}: setting {}", topic.name(), differing);
        changes.put(resource(topic), differing.entrySet().stream().map(TopicConfigs::set).toList());
      }
    }
    AdminCalls.await(admin.incrementalAlterConfigs(changes).all(),
        "change the configuration of topics " + changes.keySet());
  }

  private static Map<String, String> differing(Topic<?> topic, Config config) {
    refuseOtherCleanup(topic, config.get(CLEANUP).value());
    var differing = of(topic);
    differing.entrySet().removeIf(entry -> fits(entry, config.get(entry.getKey()).value()));
    return differing;
  }

  /** A topic may take larger batches than asked for; how eagerly it is compacted is its operator's business. */
  private static boolean fits(Map.Entry<String, String> wanted, String has) {
    return switch (wanted.getKey()) {
      case LARGEST -> Long.parseLong(has) >= LARGEST_BATCH;
      case "min.cleanable.dirty.ratio", "segment.bytes" -> true;
      default -> has.equals(wanted.getValue());
    };
  }

  private static void refuseOtherCleanup(Topic<?> topic, String has) {
    var wanted = topic.cleanup().config().get(CLEANUP);
    if (!has.equals(wanted)) {
      throw new TopicSetupFailure(
          ("topic %s has cleanup.policy=%s, which loses or keeps what it must not. Set cleanup.policy=%s on it if it "
              + "is Tidemark's, else choose another prefix")
              .formatted(topic.name(), has, wanted),
          null);
    }
  }

  private static AlterConfigOp set(Map.Entry<String, String> config) {
    return new AlterConfigOp(new ConfigEntry(config.getKey(), config.getValue()), AlterConfigOp.OpType.SET);
  }

  private static ConfigResource resource(Topic<?> topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
  }
}

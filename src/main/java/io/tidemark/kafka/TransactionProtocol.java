package io.tidemark.kafka;

import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of the transaction protocol that a cluster uses, its finalized feature {@code transaction.version}. From
 * version {@link #SAFE} on (KIP-890), brokers reject a write of an earlier transaction that arrives late. Before, such
 * a write can become part of the next transaction of the same producer, be committed although its transaction was
 * aborted, or leave a transaction open for ever. Thread-safe.
 */
public final class TransactionProtocol implements AutoCloseable {

  /** The first version with which a transaction is committed as a whole or not at all, whatever is delayed. */
  public static final int SAFE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(TransactionProtocol.class);
  private static final String FEATURE = "transaction.version";
  private static final String METADATA = "metadata.version";

  private final Admin admin;
  private final String bootstrapServers;
  private final int required;
  private volatile @Nullable Versions newest;

  /**
   * @param finalized version in use, 0 if none was ever finalized; null if the cluster does not report features
   * @param older ids of the brokers that do not support a safe version; read only if the version in use is not safe
   */
  private record Versions(@Nullable Integer finalized, List<Integer> older) {

    static Versions of(@Nullable FeatureMetadata features) {
      if (features == null || !(features.finalizedFeatures().containsKey(METADATA)
          || features.supportedFeatures().containsKey(FEATURE))) {
        return new Versions(null, List.of());
      }
      var finalized = features.finalizedFeatures().get(FEATURE);
      return new Versions(finalized == null ? 0 : (int) finalized.maxVersionLevel(), List.of());
    }

    boolean isUnsafe() {
      return finalized != null && finalized < SAFE;
    }
  }

  /**
   * @param admin admin client of the cluster, which is closed with this object
   * @param bootstrapServers addresses of the cluster, for messages
   * @param required lowest version with which the program runs; 0 for any
   */
  public TransactionProtocol(Admin admin, String bootstrapServers, int required) {
    this.admin = admin;
    this.bootstrapServers = bootstrapServers;
    this.required = required;
  }

  /**
   * Reads the version from the cluster, and logs a warning if it is not safe or not known, unless the last check
   * found the same. Blocks.
   *
   * @throws TransactionVersionFailure if the version is lower than required, or not known although one is required
   * @throws KafkaException if the cluster does not answer
   */
  public void check() {
    var now = read();
    var before = newest;
    newest = now;
    if (now.finalized() == null ? required > 0 : now.finalized() < required) {
      throw new TransactionVersionFailure(
          "kafka.require-transaction-version is %d, but %s".formatted(required, describe(now)));
    }
    if (!now.equals(before) && (now.finalized() == null || now.isUnsafe())) {
      LOG.warn("Kafka at {}: {}", bootstrapServers, describe(now));
    }
  }

  private Versions read() {
    var now = Versions.of(AdminCalls.awaitUnless(
        UnsupportedVersionException.class, admin.describeFeatures().featureMetadata()));
    return now.isUnsafe() ? new Versions(now.finalized(), older()) : now;
  }

  /** Returns the ids of the brokers that have to be upgraded before the cluster can use a safe version. */
  private List<Integer> older() {
    return AdminCalls.await(admin.describeCluster().nodes()).stream().map(Node::id).filter(this::isOlder).sorted()
        .toList();
  }

  private boolean isOlder(int broker) {
    var features = AdminCalls.await(
        admin.describeFeatures(new DescribeFeaturesOptions().nodeId(broker)).featureMetadata());
    var supported = features.supportedFeatures().get(FEATURE);
    return supported == null || supported.maxVersion() < SAFE;
  }

  /** Returns the version that the cluster uses, or -1 if it was not read yet or the cluster does not report it. */
  public int version() {
    var now = newest;
    return now == null ? -1 : Objects.requireNonNullElse(now.finalized(), -1);
  }

  public String description() {
    var now = newest;
    return now == null ? "not read yet" : describe(now);
  }

  /** Returns what is wrong with the version and what to do, or null if the version is safe, not known or not read. */
  public @Nullable String problem() {
    var now = newest;
    return now == null || !now.isUnsafe() ? null : describe(now);
  }

  private String describe(Versions versions) {
    if (versions.finalized() == null) {
      return "the cluster does not report its " + FEATURE + ", so it is no Apache Kafka, or one from before 3.3; its"
          + " vendor can say whether a transaction that is delayed can be lost or torn";
    }
    if (!versions.isUnsafe()) {
      return FEATURE + " is " + versions.finalized();
    }
    return FEATURE + " is " + versions.finalized() + ", with which a write that is delayed can be lost or become part"
        + " of another transaction; " + (versions.older().isEmpty() ? "run"
            : "upgrade the brokers " + versions.older() + " to Kafka 4.0 or newer, then run")
        + ": kafka-features.sh --bootstrap-server " + bootstrapServers
        + " upgrade --feature " + FEATURE + "=" + SAFE;
  }

  @Override
  public void close() {
    admin.close();
  }

  public static final class TransactionVersionFailure extends RuntimeException {
    TransactionVersionFailure(String message) {
      super(message);
    }
  }
}

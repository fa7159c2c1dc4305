package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.kafka.TransactionProtocol.TransactionVersionFailure;
import io.tidemark.kafka.embedded.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose transaction protocol an operator changes. */
class TransactionProtocolIT {

  @TempDir
  Path folder;

  @Test
  void olderProtocol_isNamedWithTheWayOut_andRefusedIfRequired() throws Exception {
    try (var broker = EmbeddedBroker.start(new BrokerSettings(0, folder));
        var admin = admin(broker);
        var any = protocol(broker, 0);
        var safe = protocol(broker, TransactionProtocol.SAFE)) {
      assertThat(any.version()).as("before the first check").isEqualTo(-1);
      any.check();
      safe.check();
      assertThat(any.version()).isEqualTo(2);
      assertThat(any.problem()).isNull();
      assertThat(any.description()).isEqualTo("transaction.version is 2");

      change(admin, 1, UpgradeType.SAFE_DOWNGRADE);
      await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
        any.check();
        assertThat(any.version()).isEqualTo(1);
      });
      assertThat(any.problem()).contains("transaction.version is 1", "; run: kafka-features.sh --bootstrap-server "
          + broker.bootstrapServers() + " upgrade --feature transaction.version=2");
      assertThatThrownBy(safe::check).isInstanceOf(TransactionVersionFailure.class)
          .hasMessageContaining("kafka.require-transaction-version is 2, but transaction.version is 1");
      assertThat(safe.problem()).as("what health shows meanwhile").isNotNull();

      change(admin, 2, UpgradeType.UPGRADE);
      await().atMost(Duration.ofSeconds(30)).untilAsserted(safe::check);
      assertThat(safe.problem()).isNull();
    }
  }

  private static void change(Admin admin, int version, UpgradeType type) throws Exception {
    admin.updateFeatures(Map.of("transaction.version", new FeatureUpdate((short) version, type)),
        new UpdateFeaturesOptions()).all().get();
  }

  private static TransactionProtocol protocol(EmbeddedBroker broker, int required) {
    return new TransactionProtocol(admin(broker), broker.bootstrapServers(), required);
  }

  private static Admin admin(EmbeddedBroker broker) {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }
}

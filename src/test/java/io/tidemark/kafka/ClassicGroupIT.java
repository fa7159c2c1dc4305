package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kafka.embedded.SharedBroker;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.junit.jupiter.api.Test;

/** Why groups with failover use the classic protocol: when this test fails, the consumer protocol may do as well. */
class ClassicGroupIT {

  @Test
  void consumerProtocol_brokerRejectsTheSessionTimeout() {
    var group = new ConfigResource(ConfigResource.Type.GROUP, SharedBroker.freshPrefix() + "sources");
    var timeout = new ConfigEntry(
        "consumer.session.timeout.ms", Long.toString(ClassicGroup.SESSION_TIMEOUT.toMillis()));
    try (var admin = Admin.create(Map.<String, Object>of("bootstrap.servers", SharedBroker.bootstrapServers()))) {
      var changed = admin.incrementalAlterConfigs(
          Map.of(group, List.of(new AlterConfigOp(timeout, AlterConfigOp.OpType.SET)))).all();

      assertThatThrownBy(changed::get)
          .cause().isInstanceOf(InvalidConfigurationException.class).hasMessageContaining("45000");
    }
  }
}

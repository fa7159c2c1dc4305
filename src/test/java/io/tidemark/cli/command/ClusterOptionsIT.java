package io.tidemark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.embedded.SharedBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

class ClusterOptionsIT {

  @Test
  void retentionWithoutAConfiguration_isThatOfTheTopic() {
    var options = new ClusterOptions();
    options.bootstrap = SharedBroker.bootstrapServers();
    options.prefix = SharedBroker.freshPrefix();
    var changes = new NewTopic(options.prefix + "pool.changes", Optional.of(1), Optional.empty())
        .configs(Map.of("retention.ms", Long.toString(Duration.ofDays(60).toMillis())));
    try (var admin = Admin.create(Map.of("bootstrap.servers", options.bootstrap))) {
      AdminCalls.await(admin.createTopics(List.of(changes)).all());
    }

    assertThat(options.topicsWithActualRetention(null).retention().changes()).isEqualTo(Duration.ofDays(60));
  }
}

package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.Certificates;
import io.tidemark.kafka.embedded.Grants;
import io.tidemark.kafka.embedded.SecuredBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds of a user whom Kafka lets read one topic and not the other. */
class DeniedTopicIT {

  private static final String READER = "reader";
  private static final Topics TOPICS = new Topics("denied.", Retention.DEFAULT);
  private static final Topic<?> ALLOWED = TOPICS.pool().changes();
  private static final Topic<?> DENIED = TOPICS.alerts();

  @TempDir
  Path folder;

  @Test
  void feedOfADeniedTopic_isRefused_othersBegin() throws Exception {
    try (var broker = new SecuredBroker(folder, Certificates.in(folder),
        Map.of(SecuredBroker.ADMIN, "admin-secret", READER, "reader-secret"));
        var admin = Admin.create(broker.access(SecuredBroker.ADMIN).client())) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(ALLOWED, DENIED));
      Grants.add(admin, List.of(new AclBinding(
          new ResourcePattern(ResourceType.TOPIC, ALLOWED.name(), PatternType.LITERAL),
          new AccessControlEntry("User:" + READER, "*", AclOperation.READ, AclPermissionType.ALLOW))));
      try (var feeds = new Feeds(
          new Quarantine("main", ReaderRole.FEEDS, TOPICS.all(), InstantSource.system()), TOPICS,
          new BuiltInRegistry(TOPICS.all()), broker.access(READER).client(), FeedLimits.ofHeap())) {
        var denied = feeds.open(from(DENIED), "one client");
        assertThatThrownBy(() -> denied.begun().get(1, TimeUnit.MINUTES))
            .hasRootCauseInstanceOf(FeedRefusal.class)
            .hasMessageContaining("topic denied.alerts cannot be read from Kafka");

        var allowed = feeds.open(from(ALLOWED), "another");
        var again = feeds.open(from(DENIED), "one client");
        assertThat(allowed.begun()).succeedsWithin(1, TimeUnit.MINUTES);
        assertThat(again.begun()).failsWithin(1, TimeUnit.MINUTES);
      }
    }
  }

  private static FeedRequest from(Topic<?> topic) {
    return new FeedRequest(
        List.of(new TopicRequest(topic.name(), Set.of(), null, Set.of(), null, new StartPosition.End())), null, false);
  }
}

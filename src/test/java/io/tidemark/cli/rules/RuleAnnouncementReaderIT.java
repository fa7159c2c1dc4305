package io.tidemark.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Watch;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.Rule;
import io.tidemark.rule.file.RuleAnnouncements;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One reader of the topic {@code watch} sees what comes while it waits. */
class RuleAnnouncementReaderIT {

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final SchemaRegistry registry = new BuiltInRegistry(topics.all());
  final RuleAnnouncementReader reader =
      new RuleAnnouncementReader(topics, new TopicReader(KAFKA, List.of(topics.watch()), registry));

  @BeforeEach
  void makeTopics() {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1)).ensure(List.of(topics.watch()));
    }
  }

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void secondRead_addsWhatCameSince() {
    say(RuleAnnouncements.RULES, "mine", rules("mine", 0));
    assertThat(reader.read().current().files()).containsOnlyKeys("mine");
    assertThat(reader.read().inForce().rules()).isEmpty();

    say(RuleAnnouncements.IN_FORCE, RuleAnnouncements.RULES, rules("mine", 7));

    assertThat(reader.read().current().files()).containsOnlyKeys("mine");
    assertThat(reader.read().inForce().version()).isEqualTo(7);
  }

  @Test
  void ofManyAnnouncements_theLastIsInForce() {
    say(RuleAnnouncements.IN_FORCE, RuleAnnouncements.RULES, rules("first", 1));
    say(RuleAnnouncements.IN_FORCE, RuleAnnouncements.RULES, "no rules");
    say(RuleAnnouncements.IN_FORCE, RuleAnnouncements.RULES, rules("last", 2));

    assertThat(reader.read().inForce().rules()).extracting(Rule::name).containsExactly("last");
  }

  @Test
  void wait_endsWithTheAnnouncement_orWithTheTimeout() {
    assertThat(reader.await(each -> each.inForce().version() == 7, Duration.ZERO)).isNull();

    say(RuleAnnouncements.IN_FORCE, RuleAnnouncements.RULES, rules("mine", 7));

    assertThat(reader.await(each -> each.inForce().version() == 7, Duration.ofMinutes(1))).isNotNull();
  }

  private static String rules(String name, long version) {
    return "version: " + version + "\nrules: [ { name: " + name
        + ", on: pool.changes, when: revision > 3, annotations: { summary: x }, version: " + version + " } ]\n";
  }

  private void say(String kind, String name, String text) {
    var command = Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho("test")
        .setAt(Instant.parse("2026-01-01T12:00:00Z")).build();
    new CommandPublisher(topics, registry, KAFKA).publish(command);
  }
}

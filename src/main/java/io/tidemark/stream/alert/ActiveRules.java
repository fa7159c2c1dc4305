package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.rule.Rule;
import io.tidemark.rule.Silence;
import io.tidemark.topic.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The rules on one topic and the silences, as they are in force at one place of the tape. */
final class ActiveRules {

  private final String topic;
  private final RuleSetCache texts;
  private final ControlVersions ruleVersions;
  private final ControlVersions silenceVersions;
  private List<Rule> rules = List.of();
  private Map<String, Duration> history = Map.of();
  private List<Silence> silences = List.of();

  ActiveRules(KeyValueStore<String, byte[]> store, String topic, RuleSetCache texts, SchemaRegistry registry) {
    this.topic = topic;
    this.texts = texts;
    this.ruleVersions = new ControlVersions(store, "rules", topic, registry);
    this.silenceVersions = new ControlVersions(store, "silences", topic, registry);
    read();
  }

  void announce(Control word) {
    ruleVersions.announce(word);
    silenceVersions.announce(word);
  }

  /** When something else comes into force next: announced, or by a silence that begins or ends after a time. */
  @Nullable
  Instant nextChangeAfter(Instant after) {
    var edges = silences.stream().flatMap(silence -> Stream.of(silence.from(), silence.until()));
    return Stream.concat(
        Stream.of(ruleVersions.nextFrom(), silenceVersions.nextFrom()).filter(Objects::nonNull),
        edges.filter(edge -> edge.isAfter(after)))
        .min(Instant::compareTo)
        .orElse(null);
  }

  void activate(Instant time) {
    Stream.of(ruleVersions, silenceVersions).filter(book -> time.equals(book.nextFrom()))
        .forEach(ControlVersions::activateNext);
    read();
  }

  List<Rule> rules() {
    return rules;
  }

  boolean hasConditions() {
    return rules.stream().anyMatch(rule -> rule.kind() == Rule.Kind.CONDITION);
  }

  /** Attributes whose past some rule asks for, and how much of it. */
  Map<String, Duration> history() {
    return history;
  }

  /** Null where there is none of that name on this topic. */
  @Nullable
  Rule rule(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name)).findFirst().orElse(null);
  }

  /** The silence that covers an alert at a time; null where none does. */
  @Nullable
  String silence(Alert alert, Instant at) {
    return silences.stream()
        .filter(silence -> silence.mutes(alert.getRule(), alert.getSubject(), alert.getLabels(), at))
        .map(Silence::id)
        .findFirst()
        .orElse(null);
  }

  private void read() {
    var set = texts.rules(ruleVersions.active());
    rules = set.on(topic);
    history = set.history(topic);
    silences = silenceVersions.active() == null ? List.of() : texts.silences(silenceVersions.active());
  }
}

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

/** The rules on one topic and the silences that are in force at one point of the event log. */
final class ActiveRules {

  private final String topic;
  private final RuleSetCache ruleSets;
  private final ControlVersions ruleVersions;
  private final ControlVersions silenceVersions;
  private List<Rule> rules = List.of();
  private Map<String, Duration> history = Map.of();
  private List<Silence> silences = List.of();

  ActiveRules(KeyValueStore<String, byte[]> store, String topic, RuleSetCache ruleSets, SchemaRegistry registry) {
    this.topic = topic;
    this.ruleSets = ruleSets;
    this.ruleVersions = new ControlVersions(store, "rules", topic, registry);
    this.silenceVersions = new ControlVersions(store, "silences", topic, registry);
    parse();
  }

  /** Takes a control record: its rules or silences come into force later. */
  void announce(Control control) {
    ruleVersions.announce(control);
    silenceVersions.announce(control);
  }

  /** When other rules or silences come into force next, or a silence starts or ends; null where that is not known. */
  @Nullable
  Instant nextChangeAfter(Instant time) {
    var edges = silences.stream().flatMap(silence -> Stream.of(silence.from(), silence.until()));
    return Stream.concat(
        Stream.of(ruleVersions.nextFrom(), silenceVersions.nextFrom()).filter(Objects::nonNull),
        edges.filter(edge -> edge.isAfter(time)))
        .min(Instant::compareTo)
        .orElse(null);
  }

  /** Activates what comes into force at exactly this time. */
  void activate(Instant time) {
    Stream.of(ruleVersions, silenceVersions)
        .filter(versions -> time.equals(versions.nextFrom()))
        .forEach(ControlVersions::activateNext);
    parse();
  }

  List<Rule> rules() {
    return rules;
  }

  boolean hasConditions() {
    return rules.stream().anyMatch(rule -> rule.kind() == Rule.Kind.CONDITION);
  }

  /** The attributes of which some rule needs the history, each with its length. */
  Map<String, Duration> history() {
    return history;
  }

  /** Null where no rule on this topic has that name. */
  @Nullable
  Rule rule(String name) {
    return rules.stream().filter(rule -> rule.name().equals(name)).findFirst().orElse(null);
  }

  /** Id of the silence that mutes an alert at a time; null where none does. */
  @Nullable
  String silence(Alert alert, Instant time) {
    return silences.stream()
        .filter(silence -> silence.mutes(alert.getRule(), alert.getSubject(), alert.getLabels(), time))
        .map(Silence::id)
        .findFirst()
        .orElse(null);
  }

  private void parse() {
    var set = ruleSets.rules(ruleVersions.active());
    rules = set.on(topic);
    history = set.history(topic);
    silences = silenceVersions.active() == null ? List.of() : RuleSetCache.silences(silenceVersions.active());
  }
}

package io.tidemark.serve.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Budget;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.TopicFollower;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicReader.FollowProgress;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.Operation;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RulesInForce;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the status of a source: the newest states of the source and its targets, the rules in force and the
 * silences. It reads from Kafka, so that any instance can serve the status, whichever instance owns the source. If
 * reading fails, the last known status remains.
 */
public final class StatusReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StatusReader.class);
  static final List<String> SOURCE_FIELDS = List.of("owner", "status", "message", "heartbeat_at",
      "watching_since", "last_error", "last_error_at");
  static final List<String> BUDGET_FIELDS =
      List.of("month", "per_month", "per_minute", "reserved", "spent", "counted_at");
  static final List<String> TARGET_FIELDS = List.of("target", "operation", "snapshot", "observed_at",
      "previous_observed_at", "attempted_at", "as_of", "members", "complete", "contiguous", "missed", "retry");

  /**
   * Prefix of the keys of commands that add a target to the watch list, or remove it if they have no text. The name
   * of the target follows the prefix.
   */
  private static final String ADDED = "target/";

  private final String source;
  private final Set<String> configured;
  private final Topics topics;
  private final Map<String, TargetState> targets = new ConcurrentSkipListMap<>();
  private final TopicFollower follower;
  private volatile @Nullable SourceState state;
  /** Whether all that was in the topics at the start has been read once: a heartbeat before that may be old. */
  private volatile boolean caughtUp;
  private volatile long changedAt;
  private volatile List<Silence> silences = List.of();
  private volatile RulesInForce rules = RulesInForce.NONE;
  private volatile Map<String, Watch> added = Map.of();

  /**
   * The commands that one pass over the topics has read. They are published after all that was in the topics at the
   * start of the pass has been read: until then, commands that are long withdrawn seem to be in force.
   */
  private final class Pass {
    final RuleAnnouncements commands =
        new RuleAnnouncements(null, topics.ruleSchemas(), topics.retention().changes());
    final Map<String, Watch> additions = new TreeMap<>();
    final Map<TopicPartition, Long> ends = new HashMap<>();
    boolean isCaughtUp;
    boolean isChanged = true;

    boolean publish(FollowProgress progress) {
      if (!isCaughtUp) {
        if (ends.isEmpty()) {
          ends.putAll(progress.ends());
        }
        isCaughtUp = progress.remaining(ends) == 0;
      }
      if (isCaughtUp && isChanged) {
        silences = commands.silences();
        rules = commands.current();
        added = Collections.unmodifiableMap(new TreeMap<>(additions));
        isChanged = false;
        caughtUp = true;
      }
      return true;
    }
  }

  /**
   * Starts to read the status of a source.
   *
   * @param configured names of the targets on the configured watch list
   * @param client configuration that all Kafka clients share
   */
  public StatusReader(String source, Set<String> configured, Topics topics, SchemaRegistry registry,
      Map<String, Object> client) {
    this.source = source;
    this.configured = Set.copyOf(configured);
    this.topics = topics;
    this.follower = new TopicFollower("status of " + source,
        () -> new TopicReader(client, List.of(topics.sourceState(), topics.targetState(), topics.watch()), registry),
        this::read, e -> {});
    follower.start();
  }

  @Override
  public void close() {
    follower.close();
  }

  private void read(TopicReader reader) {
    var pass = new Pass();
    reader.startAtBeginning();
    reader.follow(record -> apply(record, pass), pass::publish);
  }

  /** Applies a record to the state. Returns whether to continue reading. */
  private boolean apply(CommittedRecord record, Pass pass) {
    if (record.value() instanceof SourceState found && found.getSource().equals(source)) {
      var known = state;
      if (known == null || !found.getClock().isBefore(known.getClock())) { // older ones come again after a failure
        state = found;
      }
    } else if (record.value() instanceof TargetState found) {
      targets.put(record.keyText(), found);
      changedAt = found.getChanged() ? Math.max(changedAt, record.timestamp()) : changedAt;
    } else if (record.value() instanceof Watch command) {
      apply(record.keyText(), command, pass);
    } else if (record.topic().equals(topics.watch().name())) {
      pass.isChanged |= pass.additions.remove(record.keyText()) != null;
    } else if (record.topic().equals(topics.targetState().name()) && record.unreadable() == null) {
      targets.remove(record.keyText());
    }
    return follower.isOpen();
  }

  /** Applies a command. Skips an invalid command, like the owner of the source, which also reports the command. */
  private void apply(String key, Watch command, Pass pass) {
    pass.isChanged = true;
    if (key.startsWith(ADDED) && command.getText() != null) {
      pass.additions.put(key, command);
    } else {
      pass.additions.remove(key);
    }
    try {
      pass.commands.apply(command);
    } catch (RuntimeException e) {
      LOG.debug("status of source {}: skipping an invalid command", source, e);
    }
  }

  public String source() {
    return source;
  }

  /** Returns whether the commands that were in the topics at the start have been read. */
  boolean isCaughtUp() {
    return caughtUp;
  }

  /** Returns the silences that no command has ended, including silences whose end has passed. */
  List<Silence> silences() {
    return silences;
  }

  /** Returns the rules in force and the applied files; no rules if none have been announced. */
  RulesInForce rules() {
    return rules;
  }

  /** Returns the topics that rules may be on, each with the schema of its records. */
  Map<String, Schema> ruleSchemas() {
    return topics.ruleSchemas();
  }

  /** Returns the commands that added a target and that no command has withdrawn. */
  public Collection<Watch> additions() {
    return added.values();
  }

  /** Returns the newest state of each target, including targets that are no longer watched. */
  public Collection<TargetState> targetStates() {
    return targets.values();
  }

  /**
   * Returns whether a target is watched. A target that is no longer watched keeps its state until it is forgotten. A
   * day of a coin's history, which is polled only once, counts as watched.
   */
  private boolean isWatched(TargetState target) {
    return configured.contains(target.getTarget()) || added.containsKey(ADDED + target.getTarget())
        || target.getOperation().equals(Operation.COIN_HISTORY.wire());
  }

  private static long polledAt(TargetState target) {
    var attempted = target.getAttemptedAt();
    return (attempted == null ? target.getObservedAt() : attempted).toEpochMilli();
  }

  /**
   * Returns the status as JSON, whose members are named like the fields of the records in the topics. Leaves out the
   * state of the source until the topics have been read once.
   */
  ObjectNode json() {
    var json = JsonNodeFactory.instance.objectNode().put("name", source);
    var known = caughtUp ? state : null;
    if (known != null) {
      json.setAll(fields(known, SOURCE_FIELDS));
      json.set("budget", budget(known.getBudget()));
    }
    json.set("polled_at", time(targets.values().stream().mapToLong(StatusReader::polledAt).max().orElse(0)));
    json.set("changed_at", time(changedAt));
    var list = json.putArray("targets");
    targets.values().stream().filter(this::isWatched).forEach(target -> list.add(fields(target, TARGET_FIELDS)));
    return json;
  }

  private static JsonNode time(long millis) {
    return millis == 0 ? JsonNodeFactory.instance.nullNode() : JsonNodeFactory.instance.numberNode(millis);
  }

  private static ObjectNode budget(Budget budget) {
    return fields(budget, BUDGET_FIELDS)
        .put("last_minute", budget.getMinute().stream().mapToInt(Integer::intValue).sum());
  }

  private static ObjectNode fields(SpecificRecord record, List<String> names) {
    var json = JsonNodeFactory.instance.objectNode();
    names.forEach(name -> json.set(name, RecordJson.value(record.get(record.getSchema().getField(name).pos()))));
    return json;
  }
}

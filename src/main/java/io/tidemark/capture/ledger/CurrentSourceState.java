package io.tidemark.capture.ledger;

import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The newest state of the source, and whether it has changed since it was last written to {@code source.state}. Also
 * tracks the end offset of each partition of the state topics after the newest committed record.
 */
final class CurrentSourceState {

  private final LedgerSettings settings;
  private final String registry;
  /** The state topics with their newest end offsets, by full topic name. */
  private final Map<String, StateTopic> topics = new LinkedHashMap<>();
  private SourceState state;
  private boolean unwritten = true;

  /**
   * Continues from the state that the previous owner left, including the budget that the previous owner reserved.
   *
   * @param topics state topics with their ids and offsets as last read from Kafka
   * @param before state that the previous owner left; null before the source's first session, or if
   *     {@code source.state} is lost
   */
  CurrentSourceState(LedgerSettings settings, String registry, List<StateTopic> topics, @Nullable SourceState before,
      Instant now) {
    this.settings = settings;
    this.registry = registry;
    copies(topics).forEach(each -> this.topics.put(settings.topics().prefix() + each.getTopic(), each));
    var first = SourceState.newBuilder().setWatchingSince(now).build();
    var builder = SourceState.newBuilder(before == null ? first : before);
    this.state =
        stamped(builder.setStatus(SourceStatus.RESTORING.wire()).setMessage(null).setStartedAt(now).build(), now);
  }

  boolean unwritten() {
    return unwritten;
  }

  void written() {
    unwritten = false;
  }

  SourceState copy() {
    return SourceState.newBuilder(state).build();
  }

  void update(UnaryOperator<SourceState> change) {
    state = SourceState.newBuilder(change.apply(copy())).build();
    unwritten = true;
  }

  /** Includes the end offsets that the topics had after the previous transaction. */
  SourceState stampedAt(Instant stamp) {
    state = stamped(state, stamp);
    state.setStateTopics(copies(topics.values()));
    return state;
  }

  /** Updates the end offset of a partition after a record was committed to it. */
  void committed(RecordMetadata record) {
    var topic = topics.get(record.topic());
    if (topic != null && record.hasOffset() && record.partition() < topic.getEnds().size()) {
      var ends = topic.getEnds();
      ends.set(record.partition(), Math.max(ends.get(record.partition()), record.offset() + 1));
    }
  }

  private static List<StateTopic> copies(Collection<StateTopic> topics) {
    return topics.stream()
        .map(each -> StateTopic.newBuilder(each).setEnds(new ArrayList<>(each.getEnds())).build())
        .toList();
  }

  /**
   * Returns a copy of a state with the source, owner, registry, clock and heartbeat filled in. Only the ledger sets
   * these fields.
   */
  private SourceState stamped(SourceState state, Instant stamp) {
    return SourceState.newBuilder(state)
        .setSource(settings.source())
        .setOwner(settings.owner())
        .setRegistry(registry)
        .setClock(stamp)
        .setHeartbeatAt(stamp)
        .build();
  }
}

package io.tidemark.ledger;

import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The newest {@code source.state}, and whether it is committed. */
final class CurrentSourceState {

  private final LedgerSettings settings;
  private final String registry;
  private SourceState state;
  private boolean unwritten = true;

  /** A new owner goes on from the state before, with the budget as it was reserved. */
  CurrentSourceState(LedgerSettings settings, String registry, @Nullable SourceState before, Instant now) {
    this.settings = settings;
    this.registry = registry;
    var first = SourceState.newBuilder().setWatchingSince(now).build();
    var builder = SourceState.newBuilder(before == null ? first : before);
    this.state =
        stamped(builder.setStatus(SourceStatus.RESTORING.wire()).setMessage(null).setStartedAt(now).build(), now);
  }

  boolean unwritten() {
    return unwritten;
  }

  /** To be written with the next transaction, as a heartbeat. */
  void markUnwritten() {
    unwritten = true;
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

  /** The state as it is written at a time, with the topics as the transactions before left them. */
  SourceState stampedAt(Instant stamp, List<StateTopic> topics) {
    state = stamped(state, stamp);
    state.setStateTopics(topics);
    return state;
  }

  /** The ledger alone sets owner and clock. */
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

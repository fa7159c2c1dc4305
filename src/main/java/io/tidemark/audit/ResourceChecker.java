package io.tidemark.audit;

import io.tidemark.audit.AuditReport.ResourceOutcome;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView;
import io.tidemark.event.RankingOrder;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.CommittedRecord.RecordPosition;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.ResourceTopics;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A checker of one partition of the two topics that hold the changes and the states of one kind of resource. It
 * compares the fold of each resource's changes with the resource's state.
 *
 * <p>The checker works while the source is writing. It notes the end of the changes, reads the states, and then reads
 * the changes up to their new end. So it reads the change that led to each state, and for each change before the noted
 * end, it reads a state that is at least as new.
 */
final class ResourceChecker {

  private final ChangeView view;
  private final CheckedReader reader;
  private final AuditReport report;
  private final OffsetRange states;
  private final OffsetRange changes;
  private final long settledEnd;
  private final ChangeChecker checker;
  private final Map<String, AuditedResource> resources = new HashMap<>();

  /** A resource with its newest state, the fold of its changes, and whether state and fold were compared. */
  private static final class AuditedResource {
    @Nullable
    NewestState state;
    @Nullable
    AuditedFold fold;
    boolean compared;
  }

  /**
   * The newest state of one resource.
   *
   * @param hashes hash of the published value of each facet; empty for a tombstone
   * @param evicted the reason in the tombstone's header; empty if the tombstone has no such header, and null if the
   *     record is a state
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record NewestState(long offset, long generation, long revision, long[] hashes, @Nullable String evicted) {

    static NewestState of(CommittedRecord record, ChangeView view) {
      var state = record.value();
      if (state == null) {
        return new NewestState(record.offset(), 0, 0, new long[0], record.header("reason"));
      }
      var hashes = view.facets().stream().mapToLong(facet -> ValueHash.of(published(state, view, facet))).toArray();
      return new NewestState(record.offset(), view.state().generation(state).toEpochMilli(),
          view.state().revision(state), hashes, null);
    }

    /** For a ranking, returns only the entries: no law covers the revisions that a state has for the entries. */
    static @Nullable Object published(SpecificRecord state, ChangeView view, FacetView facet) {
      var value = view.state().published(state, facet);
      return value instanceof RankingOrder order ? order.getEntries() : value;
    }

    boolean isBefore(long otherGeneration, long otherRevision) {
      return generation < otherGeneration || (generation == otherGeneration && revision < otherRevision);
    }

    boolean isOf(AuditedFold fold) {
      return evicted == null && generation == fold.generation() && revision == fold.revision();
    }
  }

  /**
   * @param partition number of the partition to check in both topics; a change and its state are in the same one, since
   *     they have the same key
   */
  ResourceChecker(ResourceTopics<?, ?> topics, int partition, CheckedReader reader, AuditReport report) {
    this.view = ChangeView.of(topics.changes().value());
    this.reader = reader;
    this.report = report;
    this.settledEnd = reader.range(topics.changes(), partition).end();
    this.states = reader.range(topics.state(), partition);
    var sizes = new SizeChecker(report);
    reader.readLedgerTopic(states, record -> {
      sizes.check(record);
      resource(record.keyText()).state = NewestState.of(record, view);
    });
    this.changes = reader.range(topics.changes(), partition);
    this.checker = new ChangeChecker(view, changes, reader, report);
    reader.readLedgerTopic(changes, record -> {
      sizes.check(record);
      fold(record);
    });
    resources.forEach(this::check);
  }

  void forEachFold(BiConsumer<String, AuditedFold> visitor) {
    resources.forEach((key, resource) -> {
      if (resource.fold != null) {
        visitor.accept(key, resource.fold);
      }
    });
  }

  private AuditedResource resource(String key) {
    return resources.computeIfAbsent(key, any -> new AuditedResource());
  }

  private void fold(CommittedRecord record) {
    var resource = resource(record.keyText());
    var change = new AuditedChange(record, Objects.requireNonNull(record.value()));
    resource.fold = checker.fold(resource.fold, change, record.offset() < settledEnd);
    if (resource.state != null && resource.state.isOf(resource.fold)) {
      resource.compared = true;
      compare(record.keyText(), resource.state, resource.fold);
    }
  }

  private void compare(String key, NewestState state, AuditedFold fold) {
    if (!fold.isComplete()) {
      report.count(ResourceOutcome.UNCHECKED);
      return;
    }
    report.count(ResourceOutcome.CHECKED);
    for (var index = 0; index < view.facets().size(); index++) {
      if (state.hashes()[index] != fold.hash(index)) {
        var facet = view.facets().get(index);
        report.addLazily(ConsistencyLaw.FOLD, position(key, state), facet.name(), checker.lastValue(fold, index),
            () -> published(state, facet));
      }
    }
  }

  private @Nullable Object published(NewestState state, FacetView facet) {
    var value = reader.value(states.topic(), states.partition(), state.offset());
    return value == null ? null : NewestState.published(value, view, facet);
  }

  private void check(String key, AuditedResource resource) {
    var state = resource.state;
    var fold = resource.fold;
    if (state == null) {
      checkMissingState(key, Objects.requireNonNull(fold));
    } else if (state.evicted() != null) {
      checkTombstone(key, state, fold);
    } else if (fold == null) {
      checkWithoutChanges(key, state);
    } else {
      checkRevision(key, state, fold, resource.compared);
    }
  }

  private void checkMissingState(String key, AuditedFold fold) {
    if (fold.hasChangedMeanwhile()) {
      report.count(ResourceOutcome.CHANGED_MEANWHILE);
    } else if (!fold.isEvicted()) {
      var position = new RecordPosition(changes.topic(), changes.partition(), fold.offset(), key);
      report.add(ConsistencyLaw.FOLD, position, "state", "a state of revision " + fold.revision(), "none");
    }
  }

  /** If the topic has no change of the resource, nothing can be checked. */
  private void checkTombstone(String key, NewestState state, @Nullable AuditedFold fold) {
    if (fold == null) {
      return;
    }
    if (fold.hasChangedMeanwhile() && !fold.isEvicted()) {
      report.count(ResourceOutcome.CHANGED_MEANWHILE);
    } else if (!Objects.equals(state.evicted(), fold.removed())) {
      report.add(ConsistencyLaw.EVICTIONS, position(key, state), "reason",
          fold.removed() == null ? "a state" : fold.removed(),
          "a tombstone with the reason " + state.evicted());
    }
  }

  private void checkWithoutChanges(String key, NewestState state) {
    if (changes.isTruncated()) {
      report.count(ResourceOutcome.UNCHECKED);
    } else {
      report.add(ConsistencyLaw.FOLD, position(key, state), "revision", "no state, because the resource has no change",
          state.revision());
    }
  }

  private void checkRevision(String key, NewestState state, AuditedFold fold, boolean compared) {
    if (!fold.hasChangedMeanwhile() && fold.isEvicted()) {
      report.add(ConsistencyLaw.EVICTIONS, position(key, state), "value", "a tombstone with the reason evicted",
          "revision " + state.revision());
    } else if (fold.isAheadOf(state) || (!compared && !state.isBefore(fold.generation(), fold.revision()))) {
      report.add(ConsistencyLaw.FOLD, position(key, state), "generation and revision",
          fold.generation() + "/" + fold.revision(),
          state.generation() + "/" + state.revision());
    } else if (!compared) {
      report.count(ResourceOutcome.CHANGED_MEANWHILE);
    }
  }

  private RecordPosition position(String key, NewestState state) {
    return new RecordPosition(states.topic(), states.partition(), state.offset(), key);
  }
}

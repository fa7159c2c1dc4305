package io.tidemark.stream.alert;

import io.tidemark.event.AttributeSeries;
import io.tidemark.event.AttributeSeriesSet;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView;
import io.tidemark.event.StoredResource;
import io.tidemark.rule.expression.AttributeHistory;
import io.tidemark.rule.expression.EvaluatedRecord;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.stream.tick.ResourceStore.Section;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The fold of the changes of one topic by resource, and the history of the attributes that rules need it of.
 *
 * <p>A change carries what changed; folded, it carries all that is known: a facet that did not change has equal {@code
 * before} and {@code after}, as in a key frame. Records without facets are complete as they are.
 */
final class FoldedResources {

  private final ChangeView view;
  private final List<FacetView> facets;
  private final Vocabulary vocabulary;
  private final Section<StoredResource> known;
  private final AvroSerde<SpecificRecord> records;
  private boolean mayHoldAny;

  @SuppressWarnings("unchecked") // a topic's records are all of one class
  FoldedResources(
      PrefixedStore<StoredResource> byTopic,
      @Nullable Section<StoredResource> byResource,
      Class<? extends SpecificRecord> type,
      SchemaRegistry registry) {
    this.view = ChangeView.of(type);
    this.facets = view.facets().stream().filter(facet -> !facet.isList()).toList();
    this.vocabulary = Vocabulary.of(view.schema());
    this.known = Objects.requireNonNullElse(byResource, byTopic);
    this.records = new AvroSerde<>((Class<SpecificRecord>) type, registry);
    this.mayHoldAny = byResource != null || !byTopic.isEmpty();
  }

  /**
   * What a rule is evaluated on.
   *
   * @param key of the record
   * @param record with all that is known of its resource, besides what changed
   * @param evaluated the record with the history, as expressions read it
   * @param observedAt event time: of the observation, or the record's timestamp where it names none
   */
  record RuleInput(String key, SpecificRecord record, ChangeView view, AttributeHistory history, Instant observedAt,
      EvaluatedRecord evaluated) {

    RuleInput(String key, SpecificRecord record, ChangeView view, AttributeHistory history, Instant observedAt) {
      this(key, record, view, history, observedAt, new EvaluatedRecord(record, history));
    }

    boolean isBaseline() {
      var origin = view.origin(record);
      return origin != null && origin.getBaseline();
    }

    /** Null where the resource is not removed. */
    @Nullable
    String removalReason() {
      var removed = view.removed(record);
      return removed == null ? null : removed.getReason();
    }

    /** When the target was observed before; null where that is unknown. */
    @Nullable
    Instant previousObservedAt() {
      var origin = view.origin(record);
      return origin == null ? null : origin.getPreviousObservedAt();
    }
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  /**
   * Folds a record, and gives the input of the rules.
   *
   * @param paths the attributes of which rules need a history, each with its length
   */
  RuleInput update(String key, SpecificRecord record, Instant timestamp, Map<String, Duration> paths) {
    var origin = view.origin(record);
    var observedAt = origin == null ? timestamp : origin.getObservedAt();
    var stored = mayHoldAny ? known.get(key) : null;
    var before = stored == null || facets.isEmpty() ? null : read(stored);
    var complete = complete(record, before);
    var next = new StoredResource(stored == null ? null : stored.getRecord(), null);
    var isChanged =
        recordHistory(next, stored == null ? null : stored.getHistory(), record, complete, observedAt, paths);
    if (!facets.isEmpty()) {
      next.setRecord(encode(fold(record, before)));
    }
    if (isChanged || !facets.isEmpty()) {
      put(key, next);
    }
    return new RuleInput(key, complete, view, new RecordedHistory(observedAt, next.getHistory()), observedAt);
  }

  /** The input of the rules where there is no new record; null where nothing is known of the resource. */
  @Nullable
  RuleInput current(String key, Instant time) {
    var stored = known.get(key);
    return stored == null || stored.getRecord() == null
        ? null
        : new RuleInput(key, trusted(read(stored)), view, new RecordedHistory(time, stored.getHistory()), time);
  }

  void remove(String key) {
    known.put(key, null);
  }

  /**
   * Stores a record without facets while an alert is active for its key, as it may be evaluated again; drops it where
   * none is. No record announces the removal of such a resource.
   */
  void storeWhole(String key, SpecificRecord record, boolean hasActiveAlert) {
    if (facets.isEmpty() && hasActiveAlert) {
      var stored = known.get(key);
      put(key, new StoredResource(encode(record), stored == null ? null : stored.getHistory()));
    } else {
      dropWhole(key);
    }
  }

  /** Drops a record without facets. */
  void dropWhole(String key) {
    var stored = facets.isEmpty() && mayHoldAny ? known.get(key) : null;
    if (stored != null && stored.getRecord() != null) {
      stored.setRecord(null);
      put(key, stored);
    }
  }

  private void put(String key, StoredResource resource) {
    mayHoldAny = true;
    known.put(key, resource.getRecord() == null && resource.getHistory() == null ? null : resource);
  }

  private ByteBuffer encode(SpecificRecord record) {
    return ByteBuffer.wrap(records.encode(view.schema().getFullName(), record));
  }

  /** A change with the facets known before it; without them where the resource is not visible. */
  private SpecificRecord complete(SpecificRecord change, @Nullable SpecificRecord before) {
    if (before == null || !isSameGeneration(change, before) || !isVisible(change, before)) {
      return change;
    }
    var complete = AvroRecords.copy(change);
    for (var facet : facets) {
      if (facet.changeIn(complete) == null) {
        facet.putChange(complete, facet.changeIn(before));
      }
    }
    return complete;
  }

  /** What is known of a resource, as a change in which nothing changed. */
  private SpecificRecord read(StoredResource stored) {
    var record = records.decode(view.schema().getFullName(), AvroRecords.bytes(stored.getRecord()));
    for (var facet : facets) {
      var newest = facet.changeIn(record);
      facet.putChange(record, newest == null ? null : facet.unchanged(newest));
    }
    return record;
  }

  /** All that is known after a change, each facet once: {@link #read} makes both of its values. */
  private SpecificRecord fold(SpecificRecord change, @Nullable SpecificRecord known) {
    var before = known != null && isSameGeneration(change, known) ? known : null;
    var folded = AvroRecords.copy(change);
    for (var facet : facets) {
      var changed = facet.changeIn(change);
      var newest = changed != null || before == null ? changed : facet.changeIn(before);
      facet.putChange(folded, newest == null ? null : facet.afterOnly(newest));
    }
    view.put(folded, "appeared", null);
    if (before != null && view.visibility(change) == null) {
      view.put(folded, "visibility", view.visibility(before));
    }
    return folded;
  }

  /** What is known, without facets where the resource is not visible. */
  private SpecificRecord trusted(SpecificRecord known) {
    if (isVisible(known, null)) {
      return known;
    }
    var trusted = AvroRecords.copy(known);
    facets.forEach(facet -> facet.putChange(trusted, null));
    return trusted;
  }

  private boolean isSameGeneration(SpecificRecord change, SpecificRecord known) {
    return Objects.equals(view.generation(change), view.generation(known));
  }

  private boolean isVisible(SpecificRecord change, @Nullable SpecificRecord known) {
    var visibility = view.visibility(change);
    var newest = visibility != null || known == null ? visibility : view.visibility(known);
    return newest == null || newest.getVisible();
  }

  /** Records the history of the attributes of which rules need one; false where that before need not be replaced. */
  private boolean recordHistory(StoredResource next, @Nullable AttributeSeriesSet before, SpecificRecord record,
      SpecificRecord complete, Instant observedAt, Map<String, Duration> paths) {
    if (paths.isEmpty()) {
      return before != null;
    }
    var history = new AttributeSeriesSet(new ArrayList<>());
    next.setHistory(history);
    var isChanged = false;
    for (var path : paths.entrySet()) {
      var series = before == null ? null : RecordedHistory.find(before, path.getKey());
      if (series == null) {
        series = start(path.getKey(), complete, observedAt);
        isChanged |= series != null;
      } else {
        isChanged |= extend(series, path.getValue(), record, observedAt);
      }
      if (series != null) {
        history.getSeries().add(series);
      }
    }
    return isChanged || before == null || before.getSeries().size() != history.getSeries().size();
  }

  private @Nullable AttributeSeries start(String path, SpecificRecord complete, Instant observedAt) {
    return vocabulary.value(path, complete) instanceof Number number
        ? RecordedHistory.start(path, observedAt, number.doubleValue())
        : null;
  }

  /** Adds what a record shows to a series; false where it shows nothing new. */
  private boolean extend(AttributeSeries series, Duration length, SpecificRecord record, Instant observedAt) {
    if (vocabulary.value(series.getPath(), record) instanceof Number number
        && (facets.isEmpty() || number.doubleValue() != RecordedHistory.newest(series))) {
      var previous = previousObservedAt(series.getPath(), record);
      RecordedHistory.add(series, observedAt, number.doubleValue(), previous, length);
      return true;
    }
    return false;
  }

  /** When an attribute of a change was observed before; null where that is unknown. */
  private @Nullable Instant previousObservedAt(String path, SpecificRecord change) {
    var facet = view.facet(path.split("\\.", 2)[0]);
    var changed = facet == null ? null : facet.changeIn(change);
    var before = facet == null || changed == null ? null : facet.beforeObservedAt(changed);
    var origin = view.origin(change);
    return before != null ? before : origin == null ? null : origin.getPreviousObservedAt();
  }
}

package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.AttributeSeries;
import io.tidemark.event.AttributeSeriesSet;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView;
import io.tidemark.event.StoredResource;
import io.tidemark.event.Visibility;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.expression.EvaluatedRecord;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.stream.tick.ResourceStore.Section;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The known values of each resource of one topic: the newest value of each facet that is not a list, the past values
 * of each attribute whose history is needed by a rule, and the newest record while an alert is active or, if the topic
 * has no changes of resources, while a rule reads the previous record.
 *
 * <p>A change has only the facets that changed. Before rules are evaluated on a change, the other facets that the
 * rules read are added from the store, with {@code before} equal to {@code after}, as in a key frame, which is a
 * change with all known facets. Records without facets are passed unchanged.
 */
final class FoldedResources {

  private final ChangeView view;
  private final List<FacetCodec> facets;
  private final Vocabulary vocabulary;
  private final Section<StoredResource> known;
  private final AvroSerde<SpecificRecord> records;
  private final GapFreeClock clock;
  private boolean mayHoldAny;

  FoldedResources(
      PrefixedStore<StoredResource> byTopic,
      @Nullable Section<StoredResource> byResource,
      Class<? extends SpecificRecord> type,
      GapFreeClock clock,
      SchemaRegistry registry) {
    this.clock = clock;
    this.view = ChangeView.of(type);
    this.facets = view.facets().stream()
        .filter(facet -> !facet.isList())
        .map(facet -> new FacetCodec(facet, serde(facet.valueSchema(), registry)))
        .toList();
    this.vocabulary = Vocabulary.of(view.schema());
    this.known = Objects.requireNonNullElse(byResource, byTopic);
    this.records = serde(view.schema(), registry);
    this.mayHoldAny = byResource != null || !byTopic.isEmpty();
  }

  @SuppressWarnings("unchecked") // the generated class of a schema is a SpecificRecord
  private static AvroSerde<SpecificRecord> serde(Schema schema, SchemaRegistry registry) {
    return new AvroSerde<>((Class<SpecificRecord>) SpecificData.get().getClass(schema), registry);
  }

  /** A codec for the newest value of one facet. The value is kept as bytes until a rule reads it. */
  private record FacetCodec(FacetView view, AvroSerde<SpecificRecord> values) {

    /**
     * Puts the newest value of the facet into a change of the resource, as an unchanged value. Does nothing if no
     * value is known.
     */
    void putInto(SpecificRecord change, StoredResource stored) {
      var bytes = stored.getFacets().get(view.name());
      if (bytes != null) {
        view.putChange(change, view.unchanged(values.decode(view.name(), AvroRecords.bytes(bytes))));
      }
    }

    /** If a change has the facet, puts the facet's new value into {@code newest}, or removes it if it has none. */
    void keepNewest(SpecificRecord change, Map<String, ByteBuffer> newest) {
      var changed = view.changeIn(change);
      var value = changed == null ? null : view.after(changed);
      if (value != null) {
        newest.put(view.name(), ByteBuffer.wrap(values.encode(view.name(), (SpecificRecord) value)));
      } else if (changed != null) {
        newest.remove(view.name());
      }
    }
  }

  /**
   * @param evaluated the record, completed with the known facets that the rules read and that the record lacks, and the
   *     history
   * @param observedAt event time: the time of the observation or of the alert, or the record's timestamp if the record
   *     has no such time. If the rule is evaluated without a new record, the time for which it is evaluated
   */
  record RuleInput(String key, EvaluatedRecord evaluated, ChangeView view, Instant observedAt) {

    IndexedRecord record() {
      return evaluated.record();
    }

    /** Returns the time of the record's observation, even if the rule is evaluated without a new record. */
    Instant recordObservedAt() {
      var origin = view.origin(record());
      return origin == null ? observedAt : origin.getObservedAt();
    }

    boolean isBaseline() {
      var origin = view.origin(record());
      return origin != null && origin.getBaseline();
    }

    /** Returns the reason of the resource's removal, or null if the resource is not removed. */
    @Nullable
    String removalReason() {
      var removed = view.removed(record());
      return removed == null ? null : removed.getReason();
    }

    /** Returns the time of the target's previous observation, before this record, or null if it is unknown. */
    @Nullable
    Instant previousObservedAt() {
      var origin = view.origin(record());
      return origin == null ? null : origin.getPreviousObservedAt();
    }
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  /** Returns the names of the parts of a record, such as {@code price}, that changed. */
  List<String> changedParts(SpecificRecord record) {
    return view.changed(record);
  }

  /**
   * Folds a record into the known values, and returns the input on which rules are evaluated.
   *
   * @param parts the parts of the record that the rules read; facets that are not among these parts are not added
   * @param paths the attributes whose history is needed by a rule, each with the length of that history
   * @param keeps whether the record is kept, as by {@link #keepNewest}, because the key has an active alert or a rule
   *     reads the previous record; otherwise no record is kept
   */
  RuleInput update(String key, SpecificRecord record, Instant timestamp, Set<String> parts, Map<String, Duration> paths,
      boolean keeps) {
    var origin = view.origin(record);
    var observedAt = origin != null ? origin.getObservedAt()
        : record instanceof Alert alert ? alert.getEventTime() : timestamp;
    var stored = mayHoldAny ? known.get(key) : null;
    var complete = complete(record, stored, parts);
    var next = fold(record, stored);
    next.setRecord(keeps ? encode(record) : null);
    var isChanged =
        recordHistory(next, stored == null ? null : stored.getHistory(), record, complete, observedAt, paths);
    if (isChanged || !facets.isEmpty() || keeps || (stored != null && stored.getRecord() != null)) {
      put(key, next);
    }
    var previous = keeps && facets.isEmpty() && stored != null && stored.getRecord() != null ? read(stored) : null;
    return new RuleInput(key, new EvaluatedRecord(complete, history(observedAt, next, previous)), view, observedAt);
  }

  private static StoredResource blank() {
    return StoredResource.newBuilder().build();
  }

  /**
   * Returns the input on which rules are evaluated without a new record, or null if no record of the resource is kept.
   */
  @Nullable
  RuleInput current(String key, Instant time) {
    var stored = known.get(key);
    return stored == null || stored.getRecord() == null
        ? null
        : new RuleInput(key, new EvaluatedRecord(read(stored), history(time, stored, null)), view, time);
  }

  private static RecordedHistory history(Instant now, StoredResource stored, @Nullable SpecificRecord previous) {
    return new RecordedHistory(now, isVisible(stored.getVisibility()) ? stored.getHistory() : null, previous);
  }

  void remove(String key) {
    if (mayHoldAny) {
      known.put(key, null);
    }
  }

  /**
   * Keeps the newest record of a key whose alert became active, because the rule may be evaluated again without a new
   * record.
   */
  void keepNewest(String key, SpecificRecord record) {
    var stored = Objects.requireNonNullElseGet(mayHoldAny ? known.get(key) : null, FoldedResources::blank);
    stored.setRecord(encode(record));
    put(key, stored);
  }

  /** Drops the newest record of a key, if it is kept. The facets and the history of the key stay. */
  void dropNewest(String key) {
    var stored = mayHoldAny ? known.get(key) : null;
    if (stored != null && stored.getRecord() != null) {
      stored.setRecord(null);
      put(key, stored);
    }
  }

  private void put(String key, StoredResource resource) {
    mayHoldAny = true;
    var isEmpty = facets.isEmpty() && resource.getRecord() == null && resource.getHistory() == null;
    known.put(key, isEmpty ? null : resource);
  }

  /**
   * Encodes a record. If it is a change of a resource, leaves out {@code appeared}, and the facets and the
   * visibility, which are stored separately.
   */
  private ByteBuffer encode(SpecificRecord record) {
    var rest = record;
    if (!facets.isEmpty()) {
      rest = AvroRecords.copy(record);
      for (var facet : facets) {
        facet.view().putChange(rest, null);
      }
      AvroRecords.put(rest, "appeared", null);
      AvroRecords.put(rest, "visibility", null);
    }
    return ByteBuffer.wrap(records.encode(view.schema().getFullName(), rest));
  }

  /**
   * Returns a copy of a change to which the unchanged facets that rules read are added, with their known values. If the
   * resource is not visible, the copy has no facets, even if the change is a key frame.
   */
  private SpecificRecord complete(SpecificRecord change, @Nullable StoredResource known, Set<String> parts) {
    var before = known != null && isSameGeneration(change, known) ? known : null;
    if (!isVisible(newestVisibility(change, before))) {
      var withoutFacets = AvroRecords.copy(change);
      view.facets().forEach(facet -> facet.putChange(withoutFacets, null));
      return withoutFacets;
    }
    if (before == null) {
      return change;
    }
    var complete = AvroRecords.copy(change);
    for (var facet : facets) {
      if (parts.contains(facet.view().name()) && facet.view().changeIn(change) == null) {
        facet.putInto(complete, before);
      }
    }
    return complete;
  }

  /**
   * Returns the kept record of a resource. If the record is a change, it has the known facets as unchanged values and
   * the known visibility, or no facets if the resource is not visible.
   */
  private SpecificRecord read(StoredResource stored) {
    var record = records.decode(view.schema().getFullName(), AvroRecords.bytes(stored.getRecord()));
    if (!facets.isEmpty()) {
      AvroRecords.put(record, "visibility", stored.getVisibility());
    }
    if (isVisible(view.visibility(record))) {
      facets.forEach(facet -> facet.putInto(record, stored));
    }
    return record;
  }

  /**
   * Returns the stored form of a resource, with the known values of its facets after a record, but without a record
   * and a history. Values of an earlier generation are left out.
   */
  private StoredResource fold(SpecificRecord record, @Nullable StoredResource known) {
    if (facets.isEmpty()) {
      return blank();
    }
    var before = known != null && isSameGeneration(record, known) ? known : null;
    var newest = before == null ? new HashMap<String, ByteBuffer>() : before.getFacets();
    facets.forEach(facet -> facet.keepNewest(record, newest));
    return new StoredResource(null, view.generation(record), newestVisibility(record, before), newest, null);
  }

  private boolean isSameGeneration(SpecificRecord change, StoredResource known) {
    return Objects.equals(view.generation(change), known.getGeneration());
  }

  private @Nullable Visibility newestVisibility(SpecificRecord change, @Nullable StoredResource known) {
    var visibility = view.visibility(change);
    return visibility != null || known == null ? visibility : known.getVisibility();
  }

  private static boolean isVisible(@Nullable Visibility newest) {
    return newest == null || newest.getVisible();
  }

  /**
   * Records the history of the attributes in {@code paths}, each for the given length. Returns false if the stored
   * history need not be replaced.
   */
  private boolean recordHistory(StoredResource next, @Nullable AttributeSeriesSet before, SpecificRecord record,
      SpecificRecord complete, Instant observedAt, Map<String, Duration> paths) {
    if (paths.isEmpty()) {
      return before != null;
    }
    var history = new AttributeSeriesSet(new ArrayList<>());
    next.setHistory(history);
    var isChanged = false;
    for (var path : paths.entrySet()) {
      var series = RecordedHistory.find(before, path.getKey());
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
    if (vocabulary.value(path, complete) instanceof Number number) {
      var series = RecordedHistory.start(path, observedAt, number.doubleValue());
      series.setGapMillis(clock.gapMillis());
      return series;
    }
    return null;
  }

  /**
   * Adds an attribute's value in a record to the attribute's series. Returns false if the record has no value, or if
   * records of this topic have facets and the value did not change.
   */
  private boolean extend(AttributeSeries series, Duration length, SpecificRecord record, Instant observedAt) {
    if (vocabulary.value(series.getPath(), record) instanceof Number number
        && (facets.isEmpty() || number.doubleValue() != RecordedHistory.newest(series))) {
      var previous = previousObservedAt(series, record, observedAt);
      RecordedHistory.add(series, observedAt, number.doubleValue(), previous, length);
      series.setGapMillis(clock.gapMillis());
      return true;
    }
    return false;
  }

  /**
   * Returns the time of an attribute's last observation before a record, or null if that time is unknown. A record
   * without an origin, such as an aggregate, holds until the next one, except in gaps of the clock.
   */
  private @Nullable Instant previousObservedAt(AttributeSeries series, SpecificRecord record, Instant observedAt) {
    var origin = view.origin(record);
    if (origin == null) {
      return observedAt.minusMillis(clock.gapMillis() - series.getGapMillis());
    }
    var facet = view.facet(series.getPath().split("\\.", 2)[0]);
    var changed = facet == null ? null : facet.changeIn(record);
    var before = facet == null || changed == null ? null : facet.beforeObservedAt(changed);
    return before != null ? before : origin.getPreviousObservedAt();
  }
}

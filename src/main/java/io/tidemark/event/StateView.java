package io.tidemark.event;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The states of one kind of resource, by what the states of all kinds share. */
@NullMarked
public final class StateView {
  private final Schema schema;
  private final List<FacetView> facets;
  private final Supplier<SpecificRecord> constructor;
  private final int known;
  private final int withheld;
  private final int generation;
  private final int revision;
  private final int firstObservedAt;
  private final int observedAt;
  private final int memory;

  StateView(Schema schema, List<FacetView> facets) {
    this.schema = schema;
    this.facets = facets;
    this.constructor = AvroRecords.constructor(schema);
    this.known = position("known");
    this.withheld = position("withheld");
    this.generation = position("generation");
    this.revision = position("revision");
    this.firstObservedAt = position("first_observed_at");
    this.observedAt = position("observed_at");
    this.memory = position("memory");
  }

  public Schema schema() {
    return schema;
  }

  private int position(String field) {
    return schema.getField(field).pos();
  }

  private Object get(IndexedRecord state, int position) {
    return Objects.requireNonNull(state.get(position), () -> schema.getFields().get(position).name());
  }

  /** The resource as it is known. */
  public IndexedRecord known(IndexedRecord state) {
    return (IndexedRecord) get(state, known);
  }

  public Instant generation(IndexedRecord state) {
    return (Instant) get(state, generation);
  }

  public long revision(IndexedRecord state) {
    return (Long) get(state, revision);
  }

  public Instant firstObservedAt(IndexedRecord state) {
    return (Instant) get(state, firstObservedAt);
  }

  public Instant observedAt(IndexedRecord state) {
    return (Instant) get(state, observedAt);
  }

  /** The memory of detection, which is opaque to others. */
  public ByteBuffer memory(IndexedRecord state) {
    return (ByteBuffer) get(state, memory);
  }

  /** The facets whose newest value is not published yet, each with its last published value; null: never published. */
  public Map<String, @Nullable IndexedRecord> withheld(IndexedRecord state) {
    var values = new HashMap<String, @Nullable IndexedRecord>();
    if (state.get(withheld) != null) {
      facets.stream().filter(facet -> isWithheld(state, facet))
          .forEach(facet -> values.put(facet.name(), published(state, facet)));
    }
    return values;
  }

  /** The value of a facet that was last published; null where none was. */
  public @Nullable IndexedRecord published(IndexedRecord state, FacetView facet) {
    return facet.valueIn(
        isWithheld(state, facet)
            ? (IndexedRecord) Objects.requireNonNull(AvroRecords.at(state, "withheld.values"))
            : known(state));
  }

  private boolean isWithheld(IndexedRecord state, FacetView facet) {
    return state.get(withheld) instanceof IndexedRecord values
        && AvroRecords.at(values, "facets") instanceof List<?> names && names.contains(facet.name());
  }

  /**
   * A state.
   *
   * @param published the last published value of each facet that is withheld
   */
  public SpecificRecord build(IndexedRecord newest, Map<String, @Nullable IndexedRecord> published,
      Instant generationAt,
      long newestRevision, Instant firstAt, Instant at, ByteBuffer ofDetection) {
    var state = constructor.get();
    state.put(known, newest);
    state.put(withheld, published.isEmpty() ? null : withheld(newest, published));
    state.put(generation, generationAt);
    state.put(revision, newestRevision);
    state.put(firstObservedAt, firstAt);
    state.put(observedAt, at);
    state.put(memory, ofDetection);
    return state;
  }

  /** The identity of the resource with the values that were last published of the facets that are withheld. */
  private IndexedRecord withheld(IndexedRecord newest, Map<String, @Nullable IndexedRecord> published) {
    var values = AvroRecords.copy(newest);
    facets.forEach(facet -> facet.putValue(values, published.get(facet.name())));
    var record = AvroRecords.blank(AvroRecords.nonNull(schema.getField("withheld").schema()));
    record.put(record.getSchema().getField("facets").pos(), published.keySet().stream().sorted().toList());
    record.put(record.getSchema().getField("values").pos(), values);
    return record;
  }
}

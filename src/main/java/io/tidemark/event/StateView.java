package io.tidemark.event;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A view of the states of one kind of resource, with access to the fields that the states of all kinds share. */
@NullMarked
public final class StateView {
  private final Schema schema;
  private final List<FacetView> facets;

  StateView(Schema schema, List<FacetView> facets) {
    this.schema = schema;
    this.facets = facets;
  }

  public Schema schema() {
    return schema;
  }

  private Object get(IndexedRecord state, String field) {
    return Objects.requireNonNull(AvroRecords.at(state, field), field);
  }

  /** Returns the resource with its newest known values. */
  public IndexedRecord known(IndexedRecord state) {
    return (IndexedRecord) get(state, "known");
  }

  public Instant generation(IndexedRecord state) {
    return (Instant) get(state, "generation");
  }

  public long revision(IndexedRecord state) {
    return (Long) get(state, "revision");
  }

  public Instant firstObservedAt(IndexedRecord state) {
    return (Instant) get(state, "first_observed_at");
  }

  public Instant observedAt(IndexedRecord state) {
    return (Instant) get(state, "observed_at");
  }

  /** Returns whether the resource is not removed and a watched target still shows it. */
  public boolean visible(IndexedRecord state) {
    return (Boolean) get(state, "visible");
  }

  /** Returns why the resource is removed, or null if it is not. */
  public @Nullable String removed(IndexedRecord state) {
    return (String) AvroRecords.at(state, "removed");
  }

  /** Returns the detection memory in the encoding of {@link ResourceMemoryCodec}. */
  public ByteBuffer memory(IndexedRecord state) {
    return (ByteBuffer) get(state, "memory");
  }

  /**
   * Returns the names of the facets whose newest value is not published yet. Each name is mapped to the last published
   * value of the facet, or to null if the facet was never published.
   */
  public Map<String, @Nullable IndexedRecord> withheld(IndexedRecord state) {
    var values = new HashMap<String, @Nullable IndexedRecord>();
    if (AvroRecords.at(state, "withheld") != null) {
      facets.stream().filter(facet -> isWithheld(state, facet))
          .forEach(facet -> values.put(facet.name(), published(state, facet)));
    }
    return values;
  }

  /** Returns the last published value of a facet, or null if no value was published. */
  public @Nullable IndexedRecord published(IndexedRecord state, FacetView facet) {
    return facet.valueIn(
        isWithheld(state, facet)
            ? (IndexedRecord) Objects.requireNonNull(AvroRecords.at(state, "withheld.values"))
            : known(state));
  }

  private boolean isWithheld(IndexedRecord state, FacetView facet) {
    return AvroRecords.at(state, "withheld") instanceof IndexedRecord values
        && AvroRecords.at(values, "facets") instanceof List<?> names && names.contains(facet.name());
  }

  /**
   * Builds a state.
   *
   * @param published the last published value of each withheld facet, by name of the facet; the value is null if the
   *     facet was never published
   */
  public SpecificRecord build(IndexedRecord newest, Map<String, @Nullable IndexedRecord> published,
      Instant generationAt, long newestRevision, Instant firstAt, Instant at, ResourceMemory memory) {
    var state = AvroRecords.blank(schema);
    AvroRecords.put(state, "known", newest);
    AvroRecords.put(state, "withheld", published.isEmpty() ? null : withheld(newest, published));
    AvroRecords.put(state, "generation", generationAt);
    AvroRecords.put(state, "revision", newestRevision);
    AvroRecords.put(state, "first_observed_at", firstAt);
    AvroRecords.put(state, "observed_at", at);
    AvroRecords.put(state, "visible", memory.getVisible() && memory.getRemoved() == null);
    AvroRecords.put(state, "removed", memory.getRemoved());
    AvroRecords.put(state, "memory", ResourceMemoryCodec.write(memory));
    return state;
  }

  /**
   * Builds the record of the withheld facets. It contains the names of these facets, and the last published values of
   * these facets in a copy of the resource that has no other facets.
   */
  private IndexedRecord withheld(IndexedRecord newest, Map<String, @Nullable IndexedRecord> published) {
    var values = AvroRecords.copy(newest);
    facets.forEach(facet -> facet.putValue(values, published.get(facet.name())));
    var record = AvroRecords.blank(AvroRecords.nonNull(schema.getField("withheld").schema()));
    AvroRecords.put(record, "facets", published.keySet().stream().sorted().toList());
    AvroRecords.put(record, "values", values);
    return record;
  }
}

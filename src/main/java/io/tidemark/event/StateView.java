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

/** The states of one kind of resource, by what the states of all kinds share. */
@NullMarked
public final class StateView {
  private final Schema schema;
  private final List<FacetView> facets;
  private final int known;
  private final int withheld;
  private final int generation;
  private final int revision;
  private final int firstObservedAt;
  private final int observedAt;
  private final int memory;
  private final Schema withheldSchema;
  private final int withheldFacets;
  private final int withheldValues;

  StateView(Schema schema, List<FacetView> facets) {
    this.schema = schema;
    this.facets = facets;
    this.known = position(schema, "known");
    this.withheld = position(schema, "withheld");
    this.generation = position(schema, "generation");
    this.revision = position(schema, "revision");
    this.firstObservedAt = position(schema, "first_observed_at");
    this.observedAt = position(schema, "observed_at");
    this.memory = position(schema, "memory");
    this.withheldSchema = AvroRecords.nonNull(schema.getFields().get(withheld).schema());
    this.withheldFacets = position(withheldSchema, "facets");
    this.withheldValues = position(withheldSchema, "values");
  }

  private static int position(Schema schema, String field) {
    return Objects.requireNonNull(schema.getField(field), field).pos();
  }

  public Schema schema() {
    return schema;
  }

  /** The resource as it is known. */
  public IndexedRecord known(IndexedRecord state) {
    return (IndexedRecord) state.get(known);
  }

  public Instant generation(IndexedRecord state) {
    return (Instant) state.get(generation);
  }

  public long revision(IndexedRecord state) {
    return (Long) state.get(revision);
  }

  public Instant firstObservedAt(IndexedRecord state) {
    return (Instant) state.get(firstObservedAt);
  }

  public Instant observedAt(IndexedRecord state) {
    return (Instant) state.get(observedAt);
  }

  /** The ledger's own memory, which is opaque to others. */
  public ByteBuffer memory(IndexedRecord state) {
    return (ByteBuffer) state.get(memory);
  }

  /** The facets whose newest value is not published yet, each with its last published value; null: never published. */
  public Map<String, @Nullable IndexedRecord> withheld(IndexedRecord state) {
    var values = new HashMap<String, @Nullable IndexedRecord>();
    facets.stream().filter(facet -> isWithheld(state, facet))
        .forEach(facet -> values.put(facet.name(), published(state, facet)));
    return values;
  }

  /** The value of a facet that was last published; null where none was. */
  public @Nullable IndexedRecord published(IndexedRecord state, FacetView facet) {
    return facet.valueIn(isWithheld(state, facet)
        ? (IndexedRecord) ((IndexedRecord) state.get(withheld)).get(withheldValues)
        : known(state));
  }

  private boolean isWithheld(IndexedRecord state, FacetView facet) {
    return state.get(withheld) instanceof IndexedRecord values
        && ((List<?>) values.get(withheldFacets)).contains(facet.name());
  }

  /**
   * A state.
   *
   * @param identity the resource without its facets
   * @param published the last published value of each facet that is withheld
   */
  public SpecificRecord build(IndexedRecord resource, IndexedRecord identity,
      Map<String, @Nullable IndexedRecord> published, Instant resourceGeneration, long resourceRevision,
      Instant resourceFirstObservedAt, Instant resourceObservedAt, ByteBuffer resourceMemory) {
    var state = AvroRecords.blank(schema);
    state.put(known, resource);
    state.put(withheld, published.isEmpty() ? null : withheldOf(identity, published));
    state.put(generation, resourceGeneration);
    state.put(revision, resourceRevision);
    state.put(firstObservedAt, resourceFirstObservedAt);
    state.put(observedAt, resourceObservedAt);
    state.put(memory, resourceMemory);
    return state;
  }

  private IndexedRecord withheldOf(IndexedRecord values, Map<String, @Nullable IndexedRecord> published) {
    facets.stream()
        .filter(facet -> published.containsKey(facet.name()))
        .forEach(facet -> facet.putValue(values, published.get(facet.name())));
    var record = AvroRecords.blank(withheldSchema);
    record.put(withheldFacets, published.keySet().stream().sorted().toList());
    record.put(withheldValues, values);
    return record;
  }
}

package io.tidemark.audit;

import io.tidemark.event.RankingOrder;
import io.tidemark.topic.CommittedRecord;
import java.util.List;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest state of one resource.
 *
 * @param hashes of each facet as it was emitted
 * @param evicted why it is forgotten: it is a tombstone; null where it is none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares marks
record NewestState(long offset, long generation, long revision, long[] hashes, @Nullable String evicted) {

  static NewestState of(CommittedRecord row, List<FacetFields> facets) {
    var state = row.value();
    return state == null
        ? new NewestState(row.offset(), 0, 0, new long[0], row.header("reason"))
        : new NewestState(row.offset(), RecordFields.generation(state), RecordFields.revision(state),
            hashes(state, facets), null);
  }

  private static long[] hashes(SpecificRecord state, List<FacetFields> facets) {
    return facets.stream().mapToLong(facet -> ValueHash.of(emitted(state, facet))).toArray();
  }

  /** What was said of a facet: what is known of it, or where that is held back what was emitted last. */
  static @Nullable Object emitted(SpecificRecord state, FacetFields facet) {
    var said = RecordFields.part(state, "withheld");
    var held =
        said != null && ((List<?>) Objects.requireNonNull(RecordFields.get(said, "facets"))).contains(facet.name());
    var from = held ? RecordFields.part(Objects.requireNonNull(said), "values") : RecordFields.part(state, "known");
    return plain(facet.valueIn(Objects.requireNonNull(from)));
  }

  /** Revisions of a list's members are outside the laws. */
  private static @Nullable Object plain(@Nullable IndexedRecord value) {
    return value instanceof RankingOrder order ? order.getEntries() : value;
  }

  boolean before(long otherGeneration, long otherRevision) {
    return generation < otherGeneration || (generation == otherGeneration && revision < otherRevision);
  }

  boolean isOf(FoldedResource fold) {
    return evicted == null && generation == fold.generation() && revision == fold.revision();
  }
}

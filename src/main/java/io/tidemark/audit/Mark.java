package io.tidemark.audit;

import io.tidemark.event.RankingOrder;
import java.util.List;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest state of one resource.
 *
 * @param prints of each facet as it was emitted
 * @param forgotten why it is forgotten: it is a tombstone; null where it is none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares marks
record Mark(long offset, long life, long revision, long[] prints, @Nullable String forgotten) {

  static Mark of(Row row, List<Facet> facets) {
    var state = row.value();
    return state == null
        ? new Mark(row.offset(), 0, 0, new long[0], row.header("reason"))
        : new Mark(row.offset(), Fields.life(state), Fields.revision(state), prints(state, facets), null);
  }

  private static long[] prints(SpecificRecord state, List<Facet> facets) {
    return facets.stream().mapToLong(facet -> Fingerprint.of(emitted(state, facet))).toArray();
  }

  /** What was said of a facet: what is known of it, or where that is held back what was emitted last. */
  static @Nullable Object emitted(SpecificRecord state, Facet facet) {
    var said = Fields.part(state, "said");
    var held = said != null && ((List<?>) Objects.requireNonNull(Fields.get(said, "facets"))).contains(facet.name());
    var from = held ? Fields.part(Objects.requireNonNull(said), "values") : Fields.part(state, "known");
    return plain(facet.valueIn(Objects.requireNonNull(from)));
  }

  /** Revisions of a list's members are outside the laws. */
  private static @Nullable Object plain(@Nullable IndexedRecord value) {
    return value instanceof RankingOrder order ? order.getEntries() : value;
  }

  boolean before(long otherLife, long otherRevision) {
    return life < otherLife || (life == otherLife && revision < otherRevision);
  }

  boolean isOf(Fold fold) {
    return forgotten == null && life == fold.life() && revision == fold.revision();
  }
}

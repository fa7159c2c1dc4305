package io.tidemark.audit;

import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetView;
import io.tidemark.event.RankingOrder;
import io.tidemark.topic.CommittedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest state of one resource.
 *
 * @param hashes of each facet as it was published
 * @param evicted the reason in a tombstone; null in a state
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

  /** The last published value of a facet; of a ranking its entries, as their revisions are outside the laws. */
  static @Nullable Object published(SpecificRecord state, ChangeView view, FacetView facet) {
    var value = view.state().published(state, facet);
    return value instanceof RankingOrder order ? order.getEntries() : value;
  }

  boolean isBefore(long otherGeneration, long otherRevision) {
    return generation < otherGeneration || (generation == otherGeneration && revision < otherRevision);
  }

  boolean isOf(FoldedResource fold) {
    return evicted == null && generation == fold.generation() && revision == fold.revision();
  }
}

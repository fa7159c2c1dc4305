package io.tidemark.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a resource after its changes, folded one after the other: the fold law. Immutable.
 *
 * @param <F> how the value of a facet is held, such as the record itself, its bytes, or a hash of it
 * @param generation of the newest change, as is the revision
 * @param facets their values, in the order of {@link ChangeView#facets}; null where a facet has no value, is not known, or
 *     is a list
 * @param order the members of a ranking; null of other resources, and while it is not known
 * @param complete whether all facets are known: a key frame of the generation is among the changes
 * @param visible whether a watched target still shows the resource
 * @param removed why it was removed; null while it exists
 */
@NullMarked
public record FoldedResource<F>(
    Instant generation, long revision, List<@Nullable F> facets, @Nullable List<String> order, boolean complete,
    boolean visible, @Nullable String removed) {

  /** Converts the value of a facet into the form in which it is held. */
  @FunctionalInterface
  public interface FacetForm<F> {
    F of(IndexedRecord value);
  }

  /**
   * Folds the next change of a resource. A facet that it does not carry keeps its value; in the first change of a
   * generation and in a key frame it has none.
   *
   * @param before the fold of the changes before it; null if there are none
   */
  public static <F> FoldedResource<F> fold(
      @Nullable FoldedResource<F> before, IndexedRecord change, FacetForm<F> form) {
    var view = ChangeView.of(change);
    var generation = Objects.requireNonNull(view.generation(change));
    var isKeyFrame = Objects.requireNonNull(view.origin(change)).getKeyFrame();
    var same = before != null && before.generation.equals(generation) ? before : null;
    var kept = isKeyFrame ? null : same;
    var complete = isKeyFrame || (same != null && same.complete);
    var facets = new ArrayList<@Nullable F>(view.facets().size());
    var order = kept == null ? null : kept.order;
    for (var facet : view.facets()) {
      var facetChange = facet.changeIn(change);
      if (facetChange instanceof RankingOrderChange orderChange) {
        order = order(same == null ? null : same.order, orderChange, complete);
      }
      var value = facetChange == null ? null : facet.after(facetChange);
      facets.add(facetChange == null && kept != null ? kept.facets.get(facets.size())
          : value == null ? null : form.of(value));
    }
    var appeared = view.appeared(change) != null;
    var visibility = view.visibility(change);
    var end = view.removed(change);
    return new FoldedResource<>(generation, Objects.requireNonNull(view.revision(change)),
        Collections.<@Nullable F>unmodifiableList(facets), order, complete,
        visibility != null ? visibility.getVisible() : same == null || same.visible || appeared,
        end != null ? end.getReason() : same == null || appeared ? null : same.removed);
  }

  /** The order after a change; null if the order before is unknown and the change does not carry all of it. */
  private static @Nullable List<String> order(
      @Nullable List<String> before, RankingOrderChange change, boolean complete) {
    var whole = change.getEntries();
    return whole != null ? List.copyOf(whole) : before != null || complete ? order(before, change) : null;
  }

  /**
   * The order of a ranking after a change: takes out what exited or moved, and puts what entered or moved at its rank; the
   * others keep their order.
   */
  public static List<String> order(@Nullable List<String> before, RankingOrderChange change) {
    var order = before == null ? new ArrayList<String>() : new ArrayList<>(before);
    change.getExited().forEach(each -> order.remove(each.getPool()));
    change.getMoved().forEach(each -> order.remove(each.getPool()));
    var ranks = new TreeMap<Integer, String>();
    change.getEntered().forEach(each -> ranks.put(each.getRank(), each.getPool()));
    change.getMoved().forEach(each -> ranks.put(each.getRank(), each.getPool()));
    ranks.forEach((rank, pool) -> order.add(Math.clamp(rank - 1L, 0, order.size()), pool));
    return order;
  }

  public boolean isEvicted() {
    return "evicted".equals(removed);
  }
}

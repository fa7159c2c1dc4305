package io.tidemark.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The values of a resource that are known after its changes were folded, which means applied in order. Immutable.
 *
 * @param <F> form in which facet values are held, such as the record, its bytes or its hash
 * @param generation generation of the newest change
 * @param facets values of the facets, in the order of {@link ChangeView#facets}; an element is null if the facet has
 *     no value, is not known, or is a list
 * @param order the members of a ranking, in order; null for other resources, and null while the order is not known
 * @param complete whether all facets are known, because the changes include a key frame of the generation
 * @param visible whether the resource is visible, according to the newest change of its visibility or, if that is
 *     newer or the only one, its appearance; true if the generation has neither. A removal does not change it
 * @param removed reason for the removal; null while the resource exists
 */
@NullMarked
public record FoldedResource<F>(
    Instant generation, long revision, List<@Nullable F> facets, @Nullable List<String> order, boolean complete,
    boolean visible, @Nullable String removed) {

  /**
   * Folds the next change of a resource. A facet that the change does not include keeps its value. But if the change is
   * a key frame or the first change of a generation, a facet that it does not include has no value.
   *
   * @param before the result of folding the earlier changes; null if there are no earlier changes
   * @param form converts a facet's value to the form in which the result holds the value
   */
  public static <F> FoldedResource<F> fold(
      @Nullable FoldedResource<F> before, IndexedRecord change, Function<IndexedRecord, F> form) {
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
          : value == null ? null : form.apply(value));
    }
    var appeared = view.appeared(change) != null;
    var visibility = view.visibility(change);
    var end = view.removed(change);
    return new FoldedResource<>(generation, Objects.requireNonNull(view.revision(change)),
        Collections.<@Nullable F>unmodifiableList(facets), order, complete,
        visibility != null ? visibility.getVisible() : same == null || same.visible || appeared,
        end != null ? end.getReason() : same == null || appeared ? null : same.removed);
  }

  /**
   * Returns the order after a change, or null if the order before the change is null, not all facets are known, and
   * the change does not include the whole order. If all facets are known, null counts as the empty order.
   */
  private static @Nullable List<String> order(
      @Nullable List<String> before, RankingOrderChange change, boolean complete) {
    var whole = change.getEntries();
    return whole != null ? List.copyOf(whole) : before != null || complete ? order(before, change) : null;
  }

  /**
   * Returns the order of a ranking after a change; null counts as the empty order before it. Removes the members that
   * exited or moved, and then inserts the members that entered or moved at their new ranks, in ascending order of
   * rank. The other members keep their relative order.
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

package io.tidemark.market;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One complete look at a target: all its pages, fetched together.
 *
 * @param pages the answers in the order of their pages, from page 1; fewer than asked for where the list ended or a
 *     page failed
 * @param exhausted whether the last page was the end of the list (it was not full, or is the only one there can be)
 * @param failure what kept a page from being seen; null where all was seen. With {@link Failure.NotFound} and no pages
 *     the look counts as made.
 * @param observedAt when the last answer had arrived
 */
public record Snapshot(
    Target target, List<Answer<?>> pages, boolean exhausted, @Nullable Failure failure, Instant observedAt) {
  public Snapshot {
    pages = List.copyOf(pages);
  }

  /** Whether every page asked for was seen. */
  public boolean complete() {
    return failure == null;
  }
}

package io.tidemark.market;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one poll of a target: the answers for its pages, fetched one after another.
 *
 * @param pages the answers, from page 1; fewer than the target's pages if the list ended or a page failed
 * @param exhausted whether the last page was the end of the list, because it was not full or is the only possible
 *     page
 * @param failure failure of the page that could not be fetched or read; null if no page failed. A confirmed {@link
 *     Failure.NotFound} without pages counts as an answer of the service
 * @param startedAt when the poll began, by Tidemark's clock
 * @param observedAt when the last answer arrived, or when the poll failed if no page was answered, by Tidemark's
 *     clock
 */
public record Snapshot(
    Target target, List<Answer<?>> pages, boolean exhausted, @Nullable Failure failure, Instant startedAt,
    Instant observedAt) {
  public Snapshot {
    pages = List.copyOf(pages);
  }

  /** Returns whether no page failed. The list may still have ended before the target's last page. */
  public boolean complete() {
    return failure == null;
  }
}

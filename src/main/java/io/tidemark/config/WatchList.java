package io.tidemark.config;

import io.tidemark.poll.WatchedHistory;
import io.tidemark.poll.WatchedTarget;
import java.util.List;

/** What a source watches. */
public record WatchList(List<WatchedTarget> targets, List<WatchedHistory> days) {

  public WatchList {
    targets = List.copyOf(targets);
    days = List.copyOf(days);
  }

  /** Calls of one round of it, at most. */
  public int callsPerRound() {
    return targets.stream().mapToInt(watched -> watched.target().pages()).sum()
        + days.stream().mapToInt(WatchedHistory::days).sum();
  }
}

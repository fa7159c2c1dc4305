package io.tidemark.cli.settings;

import io.tidemark.poll.Watched;
import io.tidemark.poll.WatchedDays;
import java.util.List;

/** What a source watches. */
public record WatchList(List<Watched> targets, List<WatchedDays> days) {

  public WatchList {
    targets = List.copyOf(targets);
    days = List.copyOf(days);
  }

  /** Calls of one round of it, at most. */
  public int round() {
    return targets.stream().mapToInt(watched -> watched.target().pages()).sum()
        + days.stream().mapToInt(WatchedDays::days).sum();
  }
}

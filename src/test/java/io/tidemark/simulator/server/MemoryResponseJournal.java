package io.tidemark.simulator.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A journal in memory. */
public final class MemoryResponseJournal implements ResponseJournal {
  private final List<ServedResponse> all = new CopyOnWriteArrayList<>();

  @Override
  public void append(ServedResponse response) {
    all.add(response);
  }

  /** All responses so far, in order. */
  public List<ServedResponse> all() {
    return List.copyOf(all);
  }
}

package io.tidemark.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A journal in memory. */
public final class MemoryJournal implements Journal {
  private final List<Served> all = new CopyOnWriteArrayList<>();

  @Override
  public void served(Served served) {
    all.add(served);
  }

  /** All servings so far, in order. */
  public List<Served> all() {
    return List.copyOf(all);
  }
}

package io.tidemark.simulator.pool;

import java.util.List;

/** Cuts lists into pages. */
public final class Pages {
  static final int POOLS = 20;
  public static final int TICKERS = 100;

  private Pages() {}

  /** Rows of one page, the first being 1; none beyond the end. */
  public static <T> List<T> page(List<T> rows, int page, int size) {
    return page(rows, page, size, 0);
  }

  /** The same, begun so many rows later. */
  static <T> List<T> page(List<T> rows, int page, int size, int shift) {
    return rows.stream().skip((page - 1L) * size + shift).limit(size).toList();
  }
}

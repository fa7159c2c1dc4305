package io.tidemark.simulator;

import java.util.List;

/** Cuts lists into pages. */
final class Pages {
  static final int POOLS = 20;
  static final int TICKERS = 100;

  private Pages() {}

  /** Rows of one page, the first being 1; none beyond the end. */
  static <T> List<T> page(List<T> rows, int page, int size) {
    return rows.stream().skip((page - 1L) * size).limit(size).toList();
  }
}

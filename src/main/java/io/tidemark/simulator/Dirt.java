package io.tidemark.simulator;

import java.util.List;

/** What a tired service and hostile strangers do to answers; nothing at all unless the scenario asks for it. */
record Dirt(Noise noise, boolean dirty) {
  <T> List<T> page(List<T> rows, int page, long at) {
    return Pages.page(rows, page, Pages.POOLS);
  }
}

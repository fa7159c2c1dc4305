package io.tidemark.simulator;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an answer shows of a pool besides what all of them show.
 *
 * @param asked token whose price is shown too; null where none was asked for
 */
record Detail(Set<Part> parts, @Nullable TokenFacts asked) {
  enum Part {
    /** What only the single-pool operation shows. */
    SINGLE,
    COMPOSITION,
    BREAKDOWN,
    COMMUNITY,
    DEX_NAME,
    LAST_TRADE
  }

  static Detail none() {
    return new Detail(EnumSet.noneOf(Part.class), null);
  }

  Detail with(Part part, boolean wanted) {
    var more = EnumSet.noneOf(Part.class);
    more.addAll(parts);
    if (wanted) {
      more.add(part);
    }
    return new Detail(more, asked);
  }

  Detail asking(TokenFacts token) {
    return new Detail(parts, token);
  }

  boolean shows(Part part) {
    return parts.contains(part);
  }
}

package io.tidemark.simulator.pool;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an answer contains of a pool besides what all answers contain.
 *
 * @param pricedToken token whose price the answer contains; null for none
 */
record PoolDetail(Set<Part> parts, @Nullable SimulatedToken pricedToken) {
  enum Part {
    /** What only operation 7 answers with. */
    SINGLE,
    COMPOSITION,
    BREAKDOWN,
    COMMUNITY,
    DEX_NAME,
    LAST_TRADE
  }

  static PoolDetail none() {
    return new PoolDetail(EnumSet.noneOf(Part.class), null);
  }

  PoolDetail with(Part part, boolean wanted) {
    var more = wanted ? EnumSet.of(part) : EnumSet.noneOf(Part.class);
    more.addAll(parts);
    return new PoolDetail(more, pricedToken);
  }

  PoolDetail withPriceOf(SimulatedToken token) {
    return new PoolDetail(parts, token);
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}

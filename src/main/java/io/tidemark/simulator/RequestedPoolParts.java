package io.tidemark.simulator;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a pool that a query requests, besides those that are in every answer.
 *
 * @param pricedToken token whose price the answer contains; null for none
 */
record RequestedPoolParts(Set<Part> parts, @Nullable SimulatedToken pricedToken) {
  enum Part {
    /** Attributes that only operation 7 has. */
    SINGLE,
    COMPOSITION,
    BREAKDOWN,
    COMMUNITY,
    DEX_NAME,
    LAST_TRADE
  }

  static final RequestedPoolParts NONE = new RequestedPoolParts(Set.of(), null);

  RequestedPoolParts with(Part part, boolean wanted) {
    var more = wanted ? EnumSet.of(part) : EnumSet.noneOf(Part.class);
    more.addAll(parts);
    return new RequestedPoolParts(more, pricedToken);
  }

  RequestedPoolParts withPriceOf(SimulatedToken token) {
    return new RequestedPoolParts(parts, token);
  }

  boolean has(Part part) {
    return parts.contains(part);
  }
}

package io.tidemark.simulator.pool;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an answer shows of a pool besides what all of them show.
 *
 * @param pricedToken token whose price is shown too; null where none was asked for
 */
public record PoolDetail(Set<Part> parts, @Nullable SimulatedToken pricedToken) {
  public enum Part {
    /** What only the single-pool operation shows. */
    SINGLE,
    COMPOSITION,
    BREAKDOWN,
    COMMUNITY,
    DEX_NAME,
    LAST_TRADE
  }

  public static PoolDetail none() {
    return new PoolDetail(EnumSet.noneOf(Part.class), null);
  }

  public PoolDetail with(Part part, boolean wanted) {
    var more = EnumSet.noneOf(Part.class);
    more.addAll(parts);
    if (wanted) {
      more.add(part);
    }
    return new PoolDetail(more, pricedToken);
  }

  PoolDetail withPriceOf(SimulatedToken token) {
    return new PoolDetail(parts, token);
  }

  boolean shows(Part part) {
    return parts.contains(part);
  }
}

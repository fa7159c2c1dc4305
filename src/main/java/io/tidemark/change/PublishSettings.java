package io.tidemark.change;

import io.tidemark.event.FigureMath;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * What is worth an event, by facet. Both the dead band and the shortest interval compare with the value last emitted.
 *
 * @param everything whether every facet is worth one at once; otherwise what the schemas say holds
 * @param thresholds by {@code resource.facet}, such as {@code pool.price}; they overrule both
 */
public record PublishSettings(boolean everything, Map<String, Threshold> thresholds) {
  /** The default: times, images and extra only travel along, windows and converted values come every 5 minutes. */
  public static final PublishSettings MATERIAL = new PublishSettings(false, Map.of());

  /** Every alteration of every attribute is an event. */
  public static final PublishSettings EVERYTHING = new PublishSettings(true, Map.of());

  static final Threshold AT_ONCE = new Threshold(0, 0, Duration.ZERO);
  private static final Threshold COALESCED = new Threshold(0, 0, Duration.ofMinutes(5));

  /**
   * A rule for one facet.
   *
   * @param percent dead band relative to the value last emitted, in percent
   * @param absolute dead band as a difference
   * @param interval shortest interval between events
   */
  public record Threshold(double percent, double absolute, Duration interval) {}

  public PublishSettings {
    thresholds = Map.copyOf(thresholds);
  }

  /** The rule for a facet; null where it only travels along. */
  @Nullable
  Threshold threshold(ResourceKind kind, FacetRow facet) {
    Threshold own = thresholds.get(kind.name() + "." + facet.name());
    if (own != null) {
      return own;
    }
    return everything
        ? AT_ONCE
        : switch (facet.emit()) {
          case MATERIAL -> AT_ONCE;
          case COALESCED -> COALESCED;
          case TRAVELS -> null;
        };
  }

  /** Since when a facet that differs from what was emitted is due; null where it only travels along. */
  @Nullable
  Instant due(
      ResourceKind kind,
      FacetRow facet,
      @Nullable IndexedRecord emitted,
      @Nullable IndexedRecord known,
      @Nullable Instant emittedAt) {
    Threshold rule = threshold(kind, facet);
    if (rule == null || within(rule, emitted, known)) {
      return null;
    }
    return emittedAt == null ? Instant.EPOCH : emittedAt.plus(rule.interval());
  }

  /** Whether every number is within the dead band, and nothing else differs. */
  private static boolean within(Threshold rule, @Nullable Object emitted, @Nullable Object known) {
    if (rule.percent() == 0 && rule.absolute() == 0) {
      return false;
    }
    if (emitted instanceof IndexedRecord before && known instanceof IndexedRecord after) {
      return before.getSchema().getFields().stream().allMatch(field -> withinField(rule, before, after, field));
    }
    return Objects.equals(emitted, known) || close(rule, FigureMath.number(emitted), FigureMath.number(known));
  }

  private static boolean withinField(Threshold rule, IndexedRecord before, IndexedRecord after, Schema.Field field) {
    return within(rule, before.get(field.pos()), after.get(field.pos()));
  }

  private static boolean close(Threshold rule, @Nullable Double before, @Nullable Double after) {
    return before != null
        && after != null
        && Math.abs(after - before) <= Math.max(rule.absolute(), Math.abs(before) * rule.percent() / 100);
  }
}

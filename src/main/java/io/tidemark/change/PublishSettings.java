package io.tidemark.change;

import io.tidemark.event.FacetView;
import io.tidemark.event.FigureMath;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * When a change of a facet is published. Both the dead band and the shortest interval compare with the value last
 * published.
 *
 * @param everything whether every facet is published at once; otherwise as the schemas say
 * @param thresholds by {@code resource.facet}, such as {@code pool.price}; they overrule both
 */
public record PublishSettings(boolean everything, Map<String, Threshold> thresholds) {
  /** The default: times, images and extra only with other facets, windows and converted values every 5 minutes. */
  public static final PublishSettings MATERIAL = new PublishSettings(false, Map.of());

  /** Every alteration of every attribute is published. */
  public static final PublishSettings EVERYTHING = new PublishSettings(true, Map.of());

  private static final Threshold AT_ONCE = new Threshold(0, 0, Duration.ZERO);
  private static final Threshold COALESCED = new Threshold(0, 0, Duration.ofMinutes(5));

  public PublishSettings {
    thresholds = Map.copyOf(thresholds);
  }

  /**
   * What a change of a facet must exceed to be published.
   *
   * @param percent dead band relative to the value last published, in percent
   * @param absolute dead band as a difference
   * @param interval shortest time between two changes
   */
  public record Threshold(double percent, double absolute, Duration interval) {

    /** Whether every number is within the dead band, and nothing else differs. */
    private boolean covers(@Nullable Object published, @Nullable Object known) {
      if (percent == 0 && absolute == 0) {
        return false;
      }
      if (published instanceof IndexedRecord before && known instanceof IndexedRecord after) {
        return before.getSchema().getFields().stream()
            .allMatch(field -> covers(before.get(field.pos()), after.get(field.pos())));
      }
      return Objects.equals(published, known) || isClose(FigureMath.number(published), FigureMath.number(known));
    }

    private boolean isClose(@Nullable Double before, @Nullable Double after) {
      return before != null
          && after != null
          && Math.abs(after - before) <= Math.max(absolute, Math.abs(before) * percent / 100);
    }
  }

  /** The threshold of a facet; null where it is only published with others. */
  private @Nullable Threshold threshold(String resource, FacetView facet) {
    var own = thresholds.get(resource + "." + facet.name());
    if (own != null) {
      return own;
    }
    return everything
        ? AT_ONCE
        : switch (facet.publishing()) {
          case AT_ONCE -> AT_ONCE;
          case COALESCED -> COALESCED;
          case WITH_OTHERS -> null;
        };
  }

  /** Since when a facet that differs from its published value is due; null where it is only published with others. */
  @Nullable
  Instant dueAt(String resource, FacetView facet, @Nullable IndexedRecord published, @Nullable IndexedRecord known,
      @Nullable Instant publishedAt) {
    var threshold = threshold(resource, facet);
    if (threshold == null || threshold.covers(published, known)) {
      return null;
    }
    return publishedAt == null ? Instant.EPOCH : publishedAt.plus(threshold.interval());
  }
}

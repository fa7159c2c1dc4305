package io.tidemark.capture.change;

import io.tidemark.event.FacetView;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings that decide when a change of a facet is published. Both the dead band and the shortest interval are relative
 * to the last published value.
 *
 * @param everything whether every facet is published at once, instead of as the schemas say
 * @param thresholds thresholds by {@code resource.facet}, such as {@code pool.price}, which override both
 */
public record PublishSettings(boolean everything, Map<String, Threshold> thresholds) {
  /**
   * The default: times, images and extra are published only with other facets, windows and converted values every 5
   * minutes.
   */
  public static final PublishSettings MATERIAL = new PublishSettings(false, Map.of());

  /** Every alteration of every attribute is published. */
  public static final PublishSettings EVERYTHING = new PublishSettings(true, Map.of());

  private static final Threshold AT_ONCE = new Threshold(0, 0, Duration.ZERO);
  private static final Threshold COALESCED = new Threshold(0, 0, Duration.ofMinutes(5));

  public PublishSettings {
    thresholds = Map.copyOf(thresholds);
  }

  /**
   * The difference and the time that a change of a facet must exceed to be published.
   *
   * @param percent dead band relative to the last published value, in percent
   * @param absolute dead band as a difference
   * @param interval shortest time between two changes
   */
  public record Threshold(double percent, double absolute, Duration interval) {}

  /** Returns the threshold of a facet, or null if it is only published with others. */
  @Nullable
  Threshold threshold(String resource, FacetView facet) {
    var own = thresholds.isEmpty() ? null : thresholds.get(resource + "." + facet.name());
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
}

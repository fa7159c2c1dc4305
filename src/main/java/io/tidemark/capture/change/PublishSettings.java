package io.tidemark.capture.change;

import io.tidemark.event.FacetView;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings that decide when a change of a facet is published. The dead band is measured from the last published value.
 * The shortest interval begins when that value was published.
 *
 * @param everything whether changes of all facets are published immediately, regardless of what the schemas declare
 * @param thresholds thresholds by {@code resource.facet}, such as {@code pool.price}; a threshold overrides both {@code
 *     everything} and the schema
 */
public record PublishSettings(boolean everything, Map<String, Threshold> thresholds) {
  /**
   * The default settings. The facets {@code times}, {@code media} and {@code extra} are published only in changes
   * that are published for another reason, such as another facet. Figures over time windows, converted values and
   * {@code pool_price} cause a change by themselves at most every 5 minutes. All other facets are published
   * immediately.
   */
  public static final PublishSettings MATERIAL = new PublishSettings(false, Map.of());

  /** Settings with which every change of every attribute is published. */
  public static final PublishSettings EVERYTHING = new PublishSettings(true, Map.of());

  private static final Threshold AT_ONCE = new Threshold(0, 0, Duration.ZERO);
  private static final Threshold COALESCED = new Threshold(0, 0, Duration.ofMinutes(5));

  public PublishSettings {
    thresholds = Map.copyOf(thresholds);
  }

  /**
   * The difference that a change of a facet must exceed to be published, and the shortest time between publications.
   * Both are ignored if a change of the resource is published for another reason.
   *
   * @param percent dead band relative to the last published value, in percent
   * @param absolute dead band as an absolute difference; the larger of the two dead bands counts
   * @param interval shortest time between two published changes of the facet
   */
  public record Threshold(double percent, double absolute, Duration interval) {}

  /**
   * Returns the threshold of a facet, or null if a change of the facet is published only together with something
   * else.
   */
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

package io.tidemark.capture.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.RankingState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a resource that is observed for the first time existed before: baseline, created or found.
 *
 * @param ranking id of the ranking that the target lists; null if the target is not a list of pools
 */
record AppearanceDetector(SnapshotContext context, @Nullable String ranking, ResourceDrafts drafts) {
  /** Time after a coin's day becomes available during which the first observation of the day counts as news. */
  private static final Duration NEWS = Duration.ofDays(1);

  /**
   * Returns the appearance of a resource, or null if the resource is baseline. If the target's last snapshot showed the
   * resource, only its state was lost, and the appearance is {@code reobserved}, not {@code found}.
   */
  @Nullable
  Appeared detect(PageObservations.ResourceObservation observation, int page) {
    var kind = observation.kind();
    var created = kind.createdAt(observation.resource());
    if (!context.isFirst(page) && context.showedBefore(observation.key())) {
      return Appeared.newBuilder().setKind("reobserved").setAgeSeconds(age(created)).build();
    }
    if (kind == ResourceKind.COIN_DAY) {
      return isNewDay(created) ? Appeared.newBuilder().setKind("created").setAgeSeconds(age(created)).build() : null;
    }
    if (context.isFirst(page)) {
      return null;
    }
    var isListed = observation.rank() > 0;
    return Appeared.newBuilder()
        .setKind(isCreated(kind, created) ? "created" : "found").setList(isListed ? ranking : null)
        .setRank(isListed ? observation.rank() : null).setAgeSeconds(age(created)).build();
  }

  private boolean isNewDay(@Nullable Instant available) {
    return available != null
        && !available.isBefore(context.watchingSince())
        && !available.plus(NEWS).isBefore(context.observedAt());
  }

  private boolean isCreated(ResourceKind kind, @Nullable Instant created) {
    if (kind.isComplete()) {
      return kind != ResourceKind.TICKER || context.wasExhausted();
    }
    return created != null && (!created.isBefore(context.watchingSince()) || wasListLackingIt(created));
  }

  /**
   * Returns whether the target lists new pools and its last snapshot reached back beyond the given time of creation, so
   * that this snapshot would have shown the pool if it had existed.
   */
  private boolean wasListLackingIt(Instant created) {
    if (ranking == null
        || !ranking.endsWith("/new")
        || !(context.states().find(ResourceKind.RANKING.resource(), ranking) instanceof RankingState state)) {
      return false;
    }
    var order = state.getKnown().getOrder();
    var oldest = order == null ? null : RankingDetector.oldest(order.getEntries(), drafts);
    return oldest != null && oldest.isBefore(created);
  }

  private @Nullable Double age(@Nullable Instant created) {
    return created == null ? null : Duration.between(created, context.observedAt()).toMillis() / 1000.0;
  }
}

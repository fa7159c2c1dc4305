package io.tidemark.capture.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.Holding;
import io.tidemark.event.RankingState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Classifies a resource that is observed for the first time. The resource is baseline if no earlier snapshot showed
 * the page that shows it or, for a holding, its treasury. Otherwise it is created if it must have been created since
 * watching began or since the target's last snapshot, and found if it may be older. A coin's day is created if it is
 * new, and baseline otherwise.
 *
 * @param ranking id of the ranking that the target lists; null if the target is not a list of pools
 * @param shownBefore keys of the target's members before the snapshot, by the name of their kind. The last complete
 *     snapshot showed them, or their absence awaits confirmation
 */
record AppearanceDetector(SnapshotContext context, @Nullable String ranking, ResourceDrafts drafts,
    Map<String, Set<String>> shownBefore) {
  /**
   * Period in which the first observation of a coin's day counts as news. It begins when the day becomes available from
   * the service.
   */
  private static final Duration NEWS = Duration.ofDays(1);

  /**
   * Returns the appearance of a resource, or null if the resource is baseline. If the target's last snapshot showed the
   * resource, only its state was lost, and the appearance is {@code reobserved}, not {@code found}.
   *
   * @param rank rank of the resource in the target's list of all pages, from 1; null if it is not listed
   */
  @Nullable
  Appeared detect(PageObservations.ResourceObservation observation, int page, @Nullable Integer rank) {
    var kind = observation.kind();
    var created = kind.createdAt(observation.resource());
    if (!context.isFirst(page) && isShownBefore(kind, observation.key())) {
      return Appeared.newBuilder().setKind("reobserved").setAgeSeconds(age(created)).build();
    }
    if (kind == ResourceKind.COIN_DAY) {
      return isNewDay(created) ? Appeared.newBuilder().setKind("created").setAgeSeconds(age(created)).build() : null;
    }
    if (context.isFirst(page) || isOfAnotherTreasury(observation.resource())) {
      return null;
    }
    return Appeared.newBuilder()
        .setKind(isCreated(kind, created) ? "created" : "found").setList(rank == null ? null : ranking)
        .setRank(rank).setAgeSeconds(age(created)).build();
  }

  private boolean isShownBefore(ResourceKind kind, String key) {
    return shownBefore.getOrDefault(kind.resource(), Set.of()).contains(key);
  }

  /** Returns whether a resource is a holding of a treasury that the target did not show before. */
  private boolean isOfAnotherTreasury(SpecificRecord resource) {
    return resource instanceof Holding holding && !isShownBefore(ResourceKind.TREASURY, holding.getEntity());
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
   * Returns whether the target lists new pools and its last snapshot reached back beyond the given time of creation. A
   * pool created at the given time would have been in the last snapshot if the pool had already existed.
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

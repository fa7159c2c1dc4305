package io.tidemark.capture.change;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.event.FacetView;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.market.ResourceKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Detects how the ranking of a list of pools changed: which pools entered, exited and moved, and an estimate of how
 * many came and went unobserved.
 */
final class RankingDetector {
  private static final FacetView ORDER = ResourceKind.RANKING.facet("order");

  /** Time for which the service lists a pool as new after its creation. */
  private static final Duration NEW_POOLS_WINDOW = Duration.ofDays(2);

  private final SnapshotContext context;
  private final ResourceDrafts drafts;
  private final PublishDecision decision;
  private final @Nullable Ranking ranking;

  RankingDetector(SnapshotContext context, ResourceDrafts drafts, PublishDecision decision) {
    this.context = context;
    this.drafts = drafts;
    this.decision = decision;
    this.ranking = ResourceKeys.ranking(context.target().query());
  }

  /**
   * @param update the ranking's update; null if there is nothing to write
   * @param contiguous whether the list reaches back to the known list of the same ranking. False only for a list of
   *     new pools that has no pool in common with a known list that is not empty, unless the list ended and all pools
   *     of the known list are too old for it
   * @param missed estimated number of pools that came and went between two lists that are not contiguous; null if the
   *     lists are contiguous or the number is not known
   * @param rejection reason why the observed order is rejected, which can happen if another target shows the same
   *     ranking; null if the order is accepted
   */
  record RankingResult(@Nullable ResourceUpdate update, List<PoolListing> listings, boolean contiguous,
      @Nullable Long missed,
      @Nullable String rejection) {
    /** The result for a snapshot that shows no list of pools. */
    static final RankingResult NONE = new RankingResult(null, List.of(), true, null, null);
  }

  /**
   * Returns the id of the ranking of the target's operation, or null if the operation has no list of pools. A target
   * that asks for a token has an id even if it does not ask for top pools.
   */
  @Nullable
  String id() {
    return ranking == null ? null : ranking.getId();
  }

  /** Returns whether the ranking's order is known from an earlier answer. */
  boolean isKnown() {
    return ranking != null && drafts.find(ResourceKind.RANKING, ranking.getId()) != null;
  }

  /**
   * @param listed ids of the pools of all pages, in order
   * @param updates updates of the resources in the snapshot. The ranking lists each pool together with the pool's
   *     revision after these updates
   */
  RankingResult detect(List<String> listed, List<ResourceUpdate> updates) {
    var identity = Objects.requireNonNull(ranking);
    var draft = drafts.open(ResourceKind.RANKING, identity.getId(), identity);
    var before = entries(draft.known());
    var contiguous = !"new".equals(identity.getKind())
        || before.isEmpty()
        || before.stream().anyMatch(listed::contains)
        || (context.snapshot().exhausted() && isOutOfWindow(before));
    draft.setBaseline(draft.isNew() || context.observedPages() != context.target().pages());
    var asOf = context.notAfterSnapshot(context.asOf());
    draft.setAsOf(asOf);
    draft.setContiguous(contiguous);
    var order = new RankingOrder(listed, revisions(listed, updates));
    var rejection = draft.observe(new FacetObservation(ORDER, order, Set.of()), context, comparisonTime(draft, asOf))
        .rejection();
    var update = decision.decide(draft, draft.origin(context), drafts);
    var listings = update != null && update.change() instanceof RankingChange change
        ? listings(change)
        : List.<PoolListing>of();
    return new RankingResult(update, listings, contiguous, contiguous ? null : estimateMissed(before, listed),
        rejection);
  }

  /**
   * Returns the time by which the order is compared with the known order. If the target is the informant, its pages
   * were already compared with the same pages of its last snapshot. The order then is not older than the known one,
   * even if a page that was not observed before is.
   */
  private @Nullable Instant comparisonTime(ResourceDraft draft, @Nullable Instant asOf) {
    var isOwn = !context.isOutOfOrder() && !draft.memory().informedBy(context.target().name()).isEmpty();
    var remembered = isOwn ? draft.memory().facet(ORDER.name()) : null;
    return asOf == null || remembered == null ? asOf : InformantElection.later(asOf, remembered.getAsOf());
  }

  /**
   * Returns whether all pools of a known list were created too long ago to be in a list of new pools. A list that
   * lacks a newer one is not the whole list, even if its last page is not full: the service promises only a maximum of
   * rows for a page. Returns false if no time of creation is known.
   */
  private boolean isOutOfWindow(List<String> before) {
    var known = created(before);
    return !known.isEmpty() && !known.getLast().plus(NEW_POOLS_WINDOW).isAfter(context.observedAt());
  }

  private static List<String> entries(IndexedRecord known) {
    var order = ((Ranking) known).getOrder();
    return order == null ? List.of() : order.getEntries();
  }

  private List<Long> revisions(List<String> listed, List<ResourceUpdate> updates) {
    var written = updates.stream()
        .filter(update -> update.resource().equals(ResourceKind.POOL.resource()))
        .collect(Collectors.toMap(ResourceUpdate::key, update -> Objects.requireNonNull(update.state())));
    return listed.stream().map(pool -> revision(written.get(pool), pool)).toList();
  }

  private long revision(@Nullable SpecificRecord written, String pool) {
    var state = written != null ? written : context.states().find(ResourceKind.POOL.resource(), pool);
    return state == null ? 0 : ResourceKind.POOL.states().revision(state);
  }

  /**
   * Estimates how many pools came and went unobserved between two lists of newest pools. The estimate is the time
   * between the newest pool of the earlier list and the oldest pool of the later list, multiplied by the rate at
   * which the pools of the later list were created, minus one (for the oldest pool itself), and at least 0. Returns
   * null if the times of creation of two pools of the later list and one of the earlier list are not known, if the
   * later list spans no time, or if the lists overlap in time.
   */
  private @Nullable Long estimateMissed(List<String> before, List<String> now) {
    var known = created(before);
    var listed = created(now);
    if (listed.size() < 2 || known.isEmpty()) {
      return null;
    }
    var span = Duration.between(listed.getFirst(), listed.getLast()).toMillis();
    var gap = Duration.between(known.getLast(), listed.getFirst()).toMillis();
    return span <= 0 || gap < 0 ? null : Math.max(0, Math.round((listed.size() - 1.0) * gap / span) - 1);
  }

  /** Returns the known times at which pools were created, oldest first. */
  private List<Instant> created(List<String> pools) {
    return pools.stream().map(pool -> createdAt(pool, drafts)).filter(Objects::nonNull).sorted().toList();
  }

  /**
   * Returns the time at which the oldest pool in a list was created. The list begins with the newest pool. Pools whose
   * time of creation is not known are skipped. Returns null if no time of creation is known.
   */
  static @Nullable Instant oldest(List<String> newest, ResourceDrafts drafts) {
    return newest.reversed().stream()
        .map(pool -> createdAt(pool, drafts))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Instant createdAt(String pool, ResourceDrafts drafts) {
    var known = drafts.known(ResourceKind.POOL, pool);
    return known == null ? null : ResourceKind.POOL.createdAt(known);
  }

  /** Returns the ranking's change as flat records, one for each pool that entered, exited or moved. */
  private List<PoolListing> listings(RankingChange change) {
    var listings = new ArrayList<PoolListing>();
    var order = change.getOrder();
    if (order != null) {
      order.getEntered().forEach(each -> listings.add(
          listing(change, "entered", each.getPool()).setRank(each.getRank()).setAbout(each.getAbout()).build()));
      order.getExited().forEach(each -> listings.add(
          listing(change, "exited", each.getPool()).setRankBefore(each.getRankBefore()).build()));
      order.getMoved().forEach(each -> listings.add(listing(change, "moved", each.getPool())
          .setRank(each.getRank()).setRankBefore(each.getRankBefore()).build()));
    }
    return listings;
  }

  private PoolListing.Builder listing(RankingChange change, String action, String pool) {
    return PoolListing.newBuilder()
        .setPool(pool).setNetwork(change.getNetwork()).setList(change.getId()).setKind(change.getKind())
        .setDuration(change.getDuration()).setAction(action).setSize(change.getOrder().getSize())
        .setGeneration(change.getGeneration()).setRevision(change.getRevision()).setOrigin(change.getOrigin())
        .setRank(null).setRankBefore(null)
        .setAbout(PublishDecision.aboutPool(pool, drafts));
  }
}

package io.tidemark.capture.change;

import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.event.Absence;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetView;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.TargetMembers;
import io.tidemark.market.Query;
import io.tidemark.market.Query.PlatformFilter;
import io.tidemark.market.RefreshRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects which resources a complete answer lacks, and whether that removes them. Leaving a ranking is not a removal:
 * only contracts, holdings, platforms and tickers to the last page are complete by nature. A second answer, of another
 * time than the first that lacked them, confirms an absence. Until then the missing resources stay members of the
 * target, on pages of their own.
 */
final class AbsenceDetector {
  /** Time for which an absence is not confirmed while the answer contradicts it. */
  private static final Duration CONTRADICTED = Duration.ofDays(1);

  private static final FacetView NFT = ResourceKind.PLATFORM.facet("nft");

  private final SnapshotContext context;
  private final ResourceDrafts drafts;
  private final Map<Absence, List<String>> unconfirmed = new LinkedHashMap<>();

  AbsenceDetector(SnapshotContext context, ResourceDrafts drafts) {
    this.context = context;
    this.drafts = drafts;
  }

  /** Returns the missing members whose absence awaits confirmation, by absence. */
  Map<Absence, List<String>> unconfirmed() {
    return unconfirmed;
  }

  int unconfirmedCount() {
    return unconfirmed.values().stream().mapToInt(List::size).sum();
  }

  /**
   * Compares what a complete snapshot shows with what the last one showed.
   *
   * @param moreUnidentified whether more rows than in the last snapshot have no identity, and so may be the missing
   *     ones
   */
  void detect(Set<String> shown, boolean moreUnidentified) {
    var kind = completeKind();
    if (kind == null) {
      return;
    }
    var missing = new LinkedHashMap<String, @Nullable Absence>();
    for (var page : pagesBefore()) {
      page.getMembers().stream().filter(key -> !shown.contains(key))
          .forEach(key -> missing.putIfAbsent(key, page.getAbsence()));
    }
    if (!missing.isEmpty()) {
      var first = new Absence(context.observedAt(), context.asOf(), context.digest(), moreUnidentified);
      var isContradicted = contradicts(kind, shown, missing.keySet());
      missing.forEach((key, since) -> miss(kind, key, since, first, isContradicted));
    }
  }

  /** Notes when resources that the last snapshot showed or included, and this one does not, were last observed. */
  void noteNotShown(Set<String> shown, Set<String> included) {
    var before = context.before();
    if (before != null) {
      var awaiting = unconfirmed.values().stream().flatMap(List::stream).collect(Collectors.toSet());
      context.visibility().shownBy(before).forEach((key, resource) -> {
        var kind = ResourceKind.named(resource);
        var isIncluded = kind == ResourceKind.TOKEN && included.contains(key);
        var draft = isIncluded || shown.contains(key) || awaiting.contains(key) ? null : drafts.find(kind, key);
        if (draft != null) {
          var visibility = context.visibility();
          draft.noteDropped(before.getTarget(), before.getObservedAt(),
              visibility.asOfLastShownBy(before.getTarget(), key), visibility);
        }
      });
    }
  }

  /**
   * Notes that the service does not know the resource that the target asks for by name; a second such answer removes
   * it. Returns the number of members whose presence is in doubt.
   */
  int notFound() {
    var kind = ResourceKind.subjectOf(context.target().query().operation());
    var members = pagesBefore().stream().flatMap(page -> page.getMembers().stream()).distinct().toList();
    var draft = kind == null || members.isEmpty() ? null : drafts.find(kind, members.getFirst());
    if (draft != null && draft.memory().values().getRemoved() == null && draft.miss() > 1) {
      draft.remove(draft.kind().removalReason(draft.known(), context.target().query()), context.observedAt());
    }
    return members.size();
  }

  private List<TargetMembers> pagesBefore() {
    return context.states().members(context.target().name()).stream().filter(page -> page.getPage() > 0).toList();
  }

  /**
   * Notes that the answer lacks a resource, and removes it if that is confirmed.
   *
   * @param since the absence that awaits confirmation; null if the last snapshot showed the resource
   */
  private void miss(ResourceKind kind, String key, @Nullable Absence since, Absence first, boolean isContradicted) {
    var draft = drafts.find(kind, key);
    var isNft = isNftList(context.target().query());
    if (draft == null || (!isNft && draft.memory().values().getRemoved() != null)) {
      return;
    }
    if (since == null || (!isNft && draft.memory().values().getAbsences() == 0)) { // 0: another target showed it since
      if (!isNft) {
        draft.miss();
      }
      unconfirmed.computeIfAbsent(first, any -> new ArrayList<>()).add(key);
    } else if (!isConfirmed(since, isContradicted)) {
      unconfirmed.computeIfAbsent(since, any -> new ArrayList<>()).add(key);
    } else if (isNft) { // its absence means that it does not support NFTs, not that it is removed
      draft.observe(new FacetObservation(NFT, new PlatformNft(false), Set.of()), context, null);
    } else {
      draft.remove(kind.removalReason(draft.known(), context.target().query()), context.observedAt());
    }
  }

  /**
   * Returns whether this answer is of another time than the first that lacked the resource, and does not contradict
   * itself.
   */
  private boolean isConfirmed(Absence since, boolean isContradicted) {
    var waited = Duration.between(since.getSince(), context.observedAt());
    var isOfAnotherTime = since.getDigest() != context.digest()
        || InformantElection.isOlder(since.getAsOf(), context.asOf())
        || waited.compareTo(RefreshRate.PUBLIC.period(context.target().query().operation())) >= 0;
    return isOfAnotherTime && (!(isContradicted || since.getDoubtful()) || waited.compareTo(CONTRADICTED) >= 0);
  }

  /** Returns whether the subject of the answer implies that resources exist which its list lacks. */
  private boolean contradicts(ResourceKind kind, Set<String> shown, Collection<String> missing) {
    var subject = switch (kind) {
      case HOLDING -> subject(ResourceKind.TREASURY, shown);
      case CONTRACT -> subject(ResourceKind.DERIVATIVES_EXCHANGE, shown);
      default -> null;
    };
    if (subject == null) {
      return false;
    }
    return kind == ResourceKind.HOLDING
        ? totalHasValueOf(missing, shown, figure(subject, "valuation.total_treasury_value_usd"))
        : namesMoreThan(shown.size() - 1, missing.size(), figure(subject, "listings.number_of_perpetual_pairs")
            + figure(subject, "listings.number_of_futures_pairs"));
  }

  private @Nullable Object subject(ResourceKind kind, Set<String> shown) {
    return shown.stream().findFirst().map(key -> drafts.known(kind, key)).orElse(null);
  }

  /**
   * Returns whether a total exceeds the shown value by at least half of the missing value and one percent of the
   * total. The margins allow for values of different times.
   */
  private boolean totalHasValueOf(Collection<String> missing, Set<String> shown, double total) {
    var rest = total - value(shown.stream().skip(1));
    return total > 0 && rest >= Math.max(value(missing.stream()) / 2, total / 100);
  }

  private double value(Stream<String> holdings) {
    return holdings.map(key -> drafts.known(ResourceKind.HOLDING, key))
        .mapToDouble(known -> figure(known, "valuation.current_value_usd")).sum();
  }

  /**
   * Returns whether a list has less than half of the pairs that its exchange names, but would have half with the
   * missing ones.
   */
  private static boolean namesMoreThan(int shown, int missing, double named) {
    return shown * 2 < named && (shown + missing) * 2 >= named;
  }

  private static double figure(@Nullable Object record, String path) {
    return AvroRecords.at(record, path) instanceof Number number ? number.doubleValue() : 0;
  }

  /** Returns whether a query lists only the platforms that support NFTs. */
  static boolean isNftList(Query<?> query) {
    return query instanceof Query.AssetPlatforms platforms && platforms.filter() == PlatformFilter.NFT;
  }

  /** Returns the kind of which the answer shows all resources there are, or null if there is no such kind. */
  private @Nullable ResourceKind completeKind() {
    var query = context.target().query();
    var isComplete = switch (query) {
      case Query.CoinTickers q -> context.snapshot().exhausted();
      case Query.DerivativesExchangeById q -> q.includeTickers() != null;
      default -> true;
    };
    var kind = ResourceKind.listedBy(query.operation());
    return isComplete && kind.isComplete() ? kind : null;
  }
}

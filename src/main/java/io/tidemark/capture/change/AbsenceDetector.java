package io.tidemark.capture.change;

import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.event.Absence;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetView;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects which resources a complete answer lacks, and whether they are removed. Only the lists of contracts,
 * holdings and platforms are complete, and the list of tickers if its last page was fetched. A pool that leaves a
 * ranking is therefore not removed. An absence is confirmed if a later answer, current at another time than the
 * first, lacks the resource too, and nothing suggests that the resource still exists. A platform that the list of
 * platforms with NFT support lacks is not removed, but loses its NFT support. Until an absence is confirmed, the
 * missing resource stays a member of the target, on a separate page of the target's members.
 */
final class AbsenceDetector {
  /**
   * Time during which a doubtful absence is not confirmed. An absence is doubtful if the answers suggest that the
   * resource still exists.
   */
  private static final Duration CONTRADICTED = Duration.ofDays(1);

  private static final FacetView NFT = ResourceKind.PLATFORM.facet("nft");

  private final SnapshotContext context;
  private final ResourceDrafts drafts;
  private final Map<Absence, List<String>> unconfirmed = new LinkedHashMap<>();

  AbsenceDetector(SnapshotContext context, ResourceDrafts drafts) {
    this.context = context;
    this.drafts = drafts;
  }

  /**
   * Returns the keys of the missing members whose absence awaits confirmation, grouped by the first answer that lacked
   * them.
   */
  Map<Absence, List<String>> unconfirmed() {
    return unconfirmed;
  }

  int unconfirmedCount() {
    return unconfirmed.values().stream().mapToInt(List::size).sum();
  }

  /**
   * Compares the resources of a complete snapshot with the members that the target had before the snapshot. Does
   * nothing if the answer lists no kind of resource completely, or is about another treasury or exchange than before.
   *
   * @param shown keys of the resources that the snapshot shows
   * @param moreUnidentified whether more rows than in the last snapshot have no usable identity, so that these rows
   *     may be the missing resources
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
    if (!missing.isEmpty() && !isOfAnotherSubject(shown)) {
      var isContradicted = contradicts(kind, shown, missing.keySet());
      missing.forEach((key, since) -> miss(kind, key, since, first(kind, key, moreUnidentified), isContradicted));
    }
  }

  /** Returns whether the target asks for one resource by name, and the answer is about another one than before. */
  private boolean isOfAnotherSubject(Set<String> shown) {
    var subject = ResourceKind.subjectOf(context.target().query().operation());
    return subject != null
        && !shown.containsAll(context.byKind(pagesBefore()).getOrDefault(subject.resource(), Set.of()));
  }

  /** Returns the absence of a resource that this answer is the first to lack. */
  private Absence first(ResourceKind kind, String key, boolean moreUnidentified) {
    return new Absence(context.observedAt(), context.asOf(), context.digest(), moreUnidentified,
        context.visibility().asOfLastShownBy(context.target().name(), kind, key));
  }

  /**
   * For each resource that is no longer a member of the target, notes the time at which the previous snapshot showed
   * the resource. Both maps have the keys of members by the name of their kind.
   */
  void noteNotShown(Map<String, Set<String>> membersBefore, Map<String, Set<String>> membersNow) {
    var before = context.before();
    if (before != null) {
      membersBefore.forEach((resource, keys) -> {
        var now = membersNow.getOrDefault(resource, Set.of());
        keys.stream().filter(key -> !now.contains(key)).forEach(key -> noteNotShown(resource, key, before));
      });
    }
  }

  private void noteNotShown(String resource, String key, TargetState before) {
    var kind = ResourceKind.named(resource);
    var draft = drafts.find(kind, key);
    if (draft != null) {
      var visibility = context.visibility();
      draft.noteDropped(before.getTarget(), before.getObservedAt(),
          visibility.asOfLastShownBy(before.getTarget(), kind, key), visibility);
    }
  }

  /**
   * Notes that the service does not know the resource that the target asks for by name, if the target asks for one.
   * Removes this resource, but not the members of its list, if the service gives this answer for the second time in a
   * row. Returns the number of the target's members, whose absence awaits confirmation.
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
   * Notes that the answer lacks a resource. If the absence is confirmed, removes the resource or, if the answer lists
   * only the platforms that support NFTs, notes that the platform does not support them.
   *
   * @param since the earlier absence that awaits confirmation; null if the last snapshot showed the resource
   */
  private void miss(ResourceKind kind, String key, @Nullable Absence since, Absence first, boolean isContradicted) {
    var draft = drafts.find(kind, key);
    var isNft = isNftList(context.target().query());
    if (draft == null || (!isNft && draft.memory().values().getRemoved() != null)) {
      return;
    }
    if (since == null || (!isNft && draft.memory().values().getAbsences() == 0)) { // 0: another target showed it later
      if (!isNft) {
        draft.miss();
      }
      unconfirmed.computeIfAbsent(first, any -> new ArrayList<>()).add(key);
    } else if (!isConfirmed(since, isContradicted)) {
      unconfirmed.computeIfAbsent(since, any -> new ArrayList<>()).add(key);
    } else if (isNft) { // absence from the NFT list means no NFT support, not removal
      draft.observe(new FacetObservation(NFT, new PlatformNft(false), Set.of()), context, null);
    } else {
      draft.remove(kind.removalReason(draft.known(), context.target().query()), context.observedAt());
    }
  }

  /**
   * Returns whether an absence is confirmed. An absence is confirmed if this answer is another one than the first
   * answer that lacked the resource, and neither of them makes the absence doubtful. It is another one if it has
   * another body or a later time of the service or, if one of the two has no time of the service, arrived at least one
   * refresh period (of {@link RefreshRate#PUBLIC}) later. A doubtful absence is confirmed too if {@link #CONTRADICTED}
   * has passed since the first answer.
   */
  private boolean isConfirmed(Absence since, boolean isContradicted) {
    var waited = Duration.between(since.getSince(), context.observedAt());
    var isOfAnotherTime = since.getDigest() != context.digest()
        || InformantElection.isOlder(since.getAsOf(), context.asOf())
        || ((since.getAsOf() == null || context.asOf() == null)
            && waited.compareTo(RefreshRate.PUBLIC.period(context.target().query().operation())) >= 0);
    return isOfAnotherTime && (!(isContradicted || since.getDoubtful()) || waited.compareTo(CONTRADICTED) >= 0);
  }

  /**
   * Returns whether the figures of the treasury or derivatives exchange in the answer imply that resources missing from
   * its list still exist.
   */
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
   * Returns whether a treasury's total value exceeds the value of the shown holdings by at least half of the value of
   * the missing holdings, and by at least one percent of the total. The margins allow for a total and holdings that
   * were valued at different times.
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
   * Returns whether an exchange's list has fewer than half of the pairs that the exchange counts, but would have at
   * least half of them if it also had the missing pairs.
   *
   * @param named number of pairs that the exchange counts
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

  /** Returns the kind of resource that the answer lists completely, or null if the answer lists no kind completely. */
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

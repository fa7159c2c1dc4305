package io.tidemark.change;

import io.tidemark.change.PageObservations.FacetObservation;
import io.tidemark.event.FacetView;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.TargetMembers;
import io.tidemark.market.Query;
import io.tidemark.market.Query.PlatformFilter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Detects which resources a complete answer lacks, and whether that removes them. Leaving a ranking is no removal: only
 * contracts, holdings, platforms and tickers to the last page are complete by nature.
 */
final class AbsenceDetector {
  /** More missing than this, and more than half, is suspicious: a second snapshot must confirm it. */
  private static final int SUSPICIOUS = 5;

  private static final FacetView NFT = ResourceKind.PLATFORM.facet("nft");

  private final SnapshotContext context;
  private final ResourceDrafts drafts;
  private final boolean hasSeveralPages;
  private final List<String> unconfirmed = new ArrayList<>();

  /** Members whose absence the snapshot is to confirm: they are stored behind those of all pages. */
  private final Set<String> unconfirmedBefore;

  AbsenceDetector(SnapshotContext context, ResourceDrafts drafts) {
    this.context = context;
    this.drafts = drafts;
    this.hasSeveralPages = context.target().pages() > 1;
    this.unconfirmedBefore = Set.copyOf(membersBefore(context.target().pages() + 1));
  }

  /** Members that are missing and whose absence awaits confirmation by the next snapshot. */
  List<String> unconfirmed() {
    return unconfirmed;
  }

  /** Compares what a complete snapshot shows with what the last one showed. */
  void detect(Set<String> shown) {
    var kind = completeKind();
    if (kind == null) {
      return;
    }
    var missing = new LinkedHashSet<>(membersBefore(1));
    var before = missing.size();
    missing.removeAll(shown);
    var doubtful = hasSeveralPages || (missing.size() > SUSPICIOUS && missing.size() * 2 > before);
    missing.forEach(key -> miss(kind, key, doubtful ? 2 : 1));
  }

  /** Notes when what the last snapshot showed or included, and this one does not, was last observed. */
  void noteNotShown(Set<String> shown, Set<String> included) {
    var before = context.before();
    if (before != null) {
      context.visibility().shownBy(before).forEach((key, resource) -> {
        var kind = ResourceKind.named(resource);
        var isIncluded = kind == ResourceKind.TOKEN && included.contains(key);
        var draft = isIncluded || shown.contains(key) || unconfirmed.contains(key) ? null : drafts.find(kind, key);
        if (draft != null) {
          var visibility = context.visibility();
          draft.noteDropped(before.getTarget(), before.getObservedAt(),
              visibility.asOfLastShownBy(before.getTarget(), key), visibility);
        }
      });
    }
  }

  /** The service does not know the resource that the target asks for by name. */
  void notFound() {
    var kind = ResourceKind.subjectOf(context.target().query().operation());
    var members = membersBefore(1);
    if (kind != null && !members.isEmpty()) {
      miss(kind, members.get(0), 2);
    }
    unconfirmed.addAll(members.stream().filter(key -> !unconfirmed.contains(key)).toList());
  }

  private List<String> membersBefore(int firstPage) {
    return context.states().members(context.target().name()).stream()
        .filter(page -> page.getPage() >= firstPage)
        .map(TargetMembers::getMembers)
        .flatMap(List::stream)
        .toList();
  }

  private void miss(ResourceKind kind, String key, int enough) {
    var draft = drafts.find(kind, key);
    if (draft == null) {
      return;
    }
    if (isNftList(context.target().query())) {
      missInNftList(draft, enough);
    } else if (draft.memory().values().getRemoved() == null) {
      if (draft.miss() < enough) {
        unconfirmed.add(key);
      } else {
        draft.remove(kind.removalReason(draft.known(), context.target().query()), context.observedAt());
      }
    }
  }

  /** A platform that the list of those with NFTs lacks is not removed; it does not support NFTs. */
  private void missInNftList(ResourceDraft draft, int enough) {
    if (enough == 1 || unconfirmedBefore.contains(draft.key())) {
      draft.observe(new FacetObservation(NFT, new PlatformNft(false), Set.of()), context, null);
    } else {
      unconfirmed.add(draft.key());
    }
  }

  /** Whether a query lists only the platforms that support NFTs. */
  static boolean isNftList(Query<?> query) {
    return query instanceof Query.AssetPlatforms platforms && platforms.filter() == PlatformFilter.NFT;
  }

  /** The kind of which the answer shows all resources there are; null where it does not. */
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

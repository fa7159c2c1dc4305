package io.tidemark.change;

import io.tidemark.event.Contract;
import io.tidemark.event.Holding;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.Removed;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.Observation;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a complete answer no longer shows. Leaving a ranking is not leaving: only contracts, holdings, platforms and
 * tickers to the last page are complete by nature.
 */
final class AbsenceDetector {
  /** More missing than this, and more than half, is suspicious: a second look must confirm it. */
  private static final int SUSPICIOUS = 5;

  private final SnapshotContext look;
  private final ResourceDrafts drafts;
  private final boolean severalPages;

  /** Members that are missing and whose absence awaits a second look. */
  final List<String> unconfirmed = new ArrayList<>();

  /** Members whose absence awaited this look: they stand behind those of all pages. */
  private final Set<String> unconfirmedBefore;

  AbsenceDetector(SnapshotContext look, ResourceDrafts drafts, boolean severalPages) {
    this.look = look;
    this.drafts = drafts;
    this.severalPages = severalPages;
    this.unconfirmedBefore =
        look.states().members(look.target().name()).stream()
            .filter(page -> page.getPage() > look.target().pages())
            .flatMap(page -> page.getMembers().stream())
            .collect(Collectors.toSet());
  }

  /** Compares what a complete sweep showed with what the one before it did. */
  void detect(Set<String> shown, boolean exhausted) {
    ResourceKind kind = completeKind(look.target().query(), exhausted);
    if (kind == null) {
      return;
    }
    Set<String> missing = new LinkedHashSet<>(members());
    int before = missing.size();
    missing.removeAll(shown);
    boolean doubtful = severalPages || (missing.size() > SUSPICIOUS && missing.size() * 2 > before);
    missing.forEach(key -> miss(kind, key, doubtful ? 2 : 1));
  }

  /** Notes of what came along or was listed before, and is not now, when it was last seen. */
  void noteNotShown(Set<String> shown, Set<String> along) {
    TargetState before = look.before();
    if (before != null) {
      ResourceVisibility.shownBy(before, look.states()).forEach((key, resource) -> {
        ResourceKind kind = ResourceKind.named(resource);
        if (!(kind == ResourceKind.TOKEN && along.contains(key)) && !shown.contains(key)
            && !unconfirmed.contains(key)) {
          noteNotShown(kind, key, before.getObservedAt());
        }
      });
    }
  }

  private void noteNotShown(ResourceKind kind, String key, Instant shown) {
    ResourceDraft draft = drafts.find(kind, key);
    if (draft != null) {
      Instant last = draft.memory.values().getLastObservedAt();
      draft.memory.values().setLastObservedAt(last != null && last.isAfter(shown) ? last : shown);
      draft.touched = true;
    }
  }

  /** The resource a target asks for by name was not found. */
  void notFound() {
    ResourceKind kind = ownKind(look.target().query());
    List<String> members = members();
    if (kind != null && !members.isEmpty()) {
      miss(kind, members.get(0), 2);
    }
    unconfirmed.addAll(members.stream().filter(key -> !unconfirmed.contains(key)).toList());
  }

  private List<String> members() {
    return look.states().members(look.target().name()).stream()
        .filter(page -> page.getPage() > 0)
        .map(TargetMembers::getMembers)
        .flatMap(List::stream)
        .toList();
  }

  private void miss(ResourceKind kind, String key, int enough) {
    ResourceDraft draft = drafts.find(kind, key);
    if (draft == null) {
      return;
    }
    if (isNft(look.target().query())) {
      if (enough == 1 || unconfirmedBefore.contains(key)) {
        unsupported(draft);
      } else {
        unconfirmed.add(key);
      }
    } else if (draft.memory.values().getRemoved() == null) {
      miss(draft, enough);
    }
  }

  private void miss(ResourceDraft draft, int enough) {
    int missing = draft.memory.values().getAbsences() + 1;
    draft.memory.values().setAbsences(missing);
    draft.touched = true;
    if (missing < enough) {
      unconfirmed.add(draft.key);
    } else {
      remove(draft, reason(draft.known));
    }
  }

  /** Whether it lists those platforms alone that support NFTs: what it lacks is not gone. */
  static boolean isNft(Query<?> query) {
    return query instanceof Query.AssetPlatforms platforms && platforms.filter() == PlatformFilter.NFT;
  }

  private void remove(ResourceDraft draft, String reason) {
    draft.removed = new Removed(reason);
    draft.memory.values().setRemoved(reason);
    draft.memory.values().setAbsences(0);
    draft.memory.values().setLastObservedAt(look.observedAt());
  }

  private void unsupported(ResourceDraft draft) {
    Platform without = new Platform();
    without.setNft(new PlatformNft(false));
    FacetObservation.facets(ResourceKind.PLATFORM, Observation.of(without))
        .forEach((name, observed) -> draft.observe(ResourceKind.PLATFORM.facet(name), observed, look, null));
  }

  private String reason(IndexedRecord known) {
    return switch (look.target().query()) {
      case Query.CoinTickers q -> "delisted";
      case Query.PublicTreasury q -> known instanceof Holding ? "closed" : "not_found";
      case Query.AssetPlatforms q -> "absent";
      case Query.DerivativesExchangeById q ->
          known instanceof Contract contract ? ended(contract, q.includeTickers()) : "not_found";
      default -> "not_found";
    };
  }

  private static String ended(Contract contract, @Nullable IncludeTickers asked) {
    var description = contract.getDescription();
    boolean dated =
        description != null
            && (description.getExpiredAt() != null
                || (description.getContractType() != null && !"perpetual".equals(description.getContractType())));
    return dated || asked == IncludeTickers.UNEXPIRED ? "expired" : "absent";
  }

  /** The kind of which the target's answer shows all there are; null where it does not. */
  private static @Nullable ResourceKind completeKind(Query<?> query, boolean exhausted) {
    return switch (query) {
      case Query.CoinTickers q -> exhausted ? ResourceKind.TICKER : null;
      case Query.DerivativesExchangeById q -> q.includeTickers() == null ? null : ResourceKind.CONTRACT;
      case Query.PublicTreasury q -> ResourceKind.HOLDING;
      case Query.AssetPlatforms q -> ResourceKind.PLATFORM;
      default -> null;
    };
  }

  private static @Nullable ResourceKind ownKind(Query<?> query) {
    return switch (query) {
      case Query.TokenByAddress q -> ResourceKind.TOKEN;
      case Query.PoolByAddress q -> ResourceKind.POOL;
      case Query.DerivativesExchangeById q -> ResourceKind.DERIVATIVES_EXCHANGE;
      case Query.PublicTreasury q -> ResourceKind.TREASURY;
      default -> null;
    };
  }
}

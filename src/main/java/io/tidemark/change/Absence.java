package io.tidemark.change;

import io.tidemark.event.Contract;
import io.tidemark.event.Holding;
import io.tidemark.event.Left;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformNft;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.IncludeTickers;
import io.tidemark.market.PlatformFilter;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
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
final class Absence {
  /** More missing than this, and more than half, is suspicious: a second look must confirm it. */
  private static final int SUSPICIOUS = 5;

  private final Look look;
  private final Drafts drafts;
  private final boolean severalPages;

  /** Members that are missing and whose absence awaits a second look. */
  final List<String> awaiting = new ArrayList<>();

  /** Members whose absence awaited this look: they stand behind those of all pages. */
  private final Set<String> awaited;

  Absence(Look look, Drafts drafts, boolean severalPages) {
    this.look = look;
    this.drafts = drafts;
    this.severalPages = severalPages;
    this.awaited =
        look.states().members(look.target().name()).stream()
            .filter(page -> page.getPage() > look.target().pages())
            .flatMap(page -> page.getMembers().stream())
            .collect(Collectors.toSet());
  }

  /** Compares what a complete sweep showed with what the one before it did. */
  void judge(Set<String> shown, boolean exhausted) {
    Kind kind = completeKind(look.target().query(), exhausted);
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
  void fade(Set<String> shown, Set<String> along) {
    TargetState before = look.before();
    if (before != null) {
      Sightings.shownBy(before, look.states()).forEach((key, resource) -> {
        Kind kind = Kind.named(resource);
        if (!(kind == Kind.TOKEN && along.contains(key)) && !shown.contains(key) && !awaiting.contains(key)) {
          fade(kind, key, before.getObservedAt());
        }
      });
    }
  }

  private void fade(Kind kind, String key, Instant shown) {
    Draft draft = drafts.find(kind, key);
    if (draft != null) {
      Instant last = draft.memory.values().getLastSeenAt();
      draft.memory.values().setLastSeenAt(last != null && last.isAfter(shown) ? last : shown);
      draft.touched = true;
    }
  }

  /** The resource a target asks for by name was not found. */
  void notFound() {
    Kind kind = ownKind(look.target().query());
    List<String> members = members();
    if (kind != null && !members.isEmpty()) {
      miss(kind, members.get(0), 2);
    }
    awaiting.addAll(members.stream().filter(key -> !awaiting.contains(key)).toList());
  }

  private List<String> members() {
    return look.states().members(look.target().name()).stream()
        .filter(page -> page.getPage() > 0)
        .map(TargetMembers::getMembers)
        .flatMap(List::stream)
        .toList();
  }

  private void miss(Kind kind, String key, int enough) {
    Draft draft = drafts.find(kind, key);
    if (draft == null) {
      return;
    }
    if (isNft(look.target().query())) {
      if (enough == 1 || awaited.contains(key)) {
        unsupported(draft);
      } else {
        awaiting.add(key);
      }
    } else if (draft.memory.values().getLeft() == null) {
      miss(draft, enough);
    }
  }

  private void miss(Draft draft, int enough) {
    int missing = draft.memory.values().getMissing() + 1;
    draft.memory.values().setMissing(missing);
    draft.touched = true;
    if (missing < enough) {
      awaiting.add(draft.key);
    } else {
      leave(draft, reason(draft.known));
    }
  }

  /** Whether it lists those platforms alone that support NFTs: what it lacks is not gone. */
  static boolean isNft(Query<?> query) {
    return query instanceof Query.AssetPlatforms platforms && platforms.filter() == PlatformFilter.NFT;
  }

  private void leave(Draft draft, String reason) {
    draft.left = new Left(reason);
    draft.memory.values().setLeft(reason);
    draft.memory.values().setMissing(0);
    draft.memory.values().setLastSeenAt(look.observedAt());
  }

  private void unsupported(Draft draft) {
    Platform without = new Platform();
    without.setNft(new PlatformNft(false));
    Observed.facets(Kind.PLATFORM, Seen.of(without))
        .forEach((name, observed) -> draft.observe(Kind.PLATFORM.facet(name), observed, look, null));
  }

  private String reason(IndexedRecord known) {
    return switch (look.target().query()) {
      case Query.CoinTickers q -> "delisted";
      case Query.PublicTreasury q -> known instanceof Holding ? "closed" : "not_found";
      case Query.AssetPlatforms q -> "removed";
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
    return dated || asked == IncludeTickers.UNEXPIRED ? "expired" : "removed";
  }

  /** The kind of which the target's answer shows all there are; null where it does not. */
  private static @Nullable Kind completeKind(Query<?> query, boolean exhausted) {
    return switch (query) {
      case Query.CoinTickers q -> exhausted ? Kind.TICKER : null;
      case Query.DerivativesExchangeById q -> q.includeTickers() == null ? null : Kind.CONTRACT;
      case Query.PublicTreasury q -> Kind.HOLDING;
      case Query.AssetPlatforms q -> Kind.PLATFORM;
      default -> null;
    };
  }

  private static @Nullable Kind ownKind(Query<?> query) {
    return switch (query) {
      case Query.TokenByAddress q -> Kind.TOKEN;
      case Query.PoolByAddress q -> Kind.POOL;
      case Query.DerivativesExchangeById q -> Kind.DERIVATIVES_EXCHANGE;
      case Query.PublicTreasury q -> Kind.TREASURY;
      default -> null;
    };
  }
}

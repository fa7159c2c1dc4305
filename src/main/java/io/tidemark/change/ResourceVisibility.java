package io.tidemark.change;

import io.tidemark.event.ResourceMemory;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which targets show a resource, and until when one did. */
final class ResourceVisibility {
  /** A target that was not looked at for this many of its gaps shows nothing any more. */
  private static final int GAPS = 3;

  /** Shortest time after which what is not shown is out of sight. */
  static final Duration LEAST = Duration.ofMinutes(15);

  private ResourceVisibility() {}

  /** The newest look at a target that shows the resource still; null where there is none. */
  static @Nullable TargetState showing(KnownStates states, String target, String key, Instant now) {
    TargetState state = states.targetState(target);
    return state != null && !stale(state, now) && shows(states, target, key) ? state : null;
  }

  /** When a target that shows the resource was last seen, however long ago; null where it does not show it. */
  static @Nullable Instant lastShown(KnownStates states, String target, String key) {
    TargetState state = states.targetState(target);
    return state != null && shows(states, target, key) ? state.getObservedAt() : null;
  }

  private static boolean shows(KnownStates states, String target, String key) {
    for (TargetMembers page : states.members(target)) {
      if (page.getMembers().contains(key)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a target was not looked at for so long that what it showed is out of sight. */
  static boolean stale(TargetState state, Instant now) {
    return !staleAt(state).isAfter(now);
  }

  static Instant staleAt(TargetState state) {
    return state.getObservedAt().plus(patience(state));
  }

  /** Keys of the resources that a target shows, each with the name of its kind. */
  static Map<String, String> shownBy(TargetState target, KnownStates states) {
    Map<String, String> shown = new LinkedHashMap<>();
    for (TargetMembers page : states.members(target.getTarget())) {
      for (String key : page.getMembers()) {
        boolean own = page.getPage() == 1 && key.equals(page.getMembers().get(0));
        shown.put(key, page.getPage() == 0 ? ResourceKind.TOKEN.name() : kind(target.getOperation(), own).name());
      }
    }
    return shown;
  }

  /** @param own whether it is what the target itself is about, and not one of its list */
  private static ResourceKind kind(String operation, boolean own) {
    return switch (Operation.of(operation)) {
      case TOKEN -> own ? ResourceKind.TOKEN : ResourceKind.POOL;
      case POOL, DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS -> ResourceKind.POOL;
      case GLOBAL -> ResourceKind.GLOBAL;
      case COIN_HISTORY -> ResourceKind.COIN_DAY;
      case COIN_TICKERS -> ResourceKind.TICKER;
      case DERIVATIVES_EXCHANGE -> own ? ResourceKind.DERIVATIVES_EXCHANGE : ResourceKind.CONTRACT;
      case TREASURY -> own ? ResourceKind.TREASURY : ResourceKind.HOLDING;
      case ASSET_PLATFORMS -> ResourceKind.PLATFORM;
    };
  }

  private static Duration patience(TargetState state) {
    Instant before = state.getPreviousObservedAt();
    Duration gap = before == null ? Duration.ZERO : Duration.between(before, state.getObservedAt());
    Duration patience = gap.multipliedBy(GAPS);
    return patience.compareTo(LEAST) < 0 ? LEAST : patience;
  }

  /** Whether any target shows the resource. */
  static boolean inSight(KnownStates states, ResourceMemory memory, String key, Instant now) {
    return memory.getTargets().stream().anyMatch(target -> showing(states, target, key, now) != null);
  }

  /** When a resource that nothing shows any more is out of sight: the longest patience of those that showed it. */
  static Instant outOfSight(KnownStates states, ResourceMemory memory, Instant lastObserved) {
    return memory.getTargets().stream()
        .map(states::targetState)
        .filter(state -> state != null)
        .map(state -> lastObserved.plus(patience(state)))
        .max(Instant::compareTo)
        .orElse(lastObserved.plus(LEAST));
  }

  /** When the resource was last shown, by what is known of its targets. */
  static Instant lastObserved(KnownStates states, ResourceMemory memory, String key, Instant stated) {
    Instant last = memory.getLastObservedAt() != null ? memory.getLastObservedAt() : stated;
    for (String target : memory.getTargets()) {
      Instant shown = lastShown(states, target, key);
      last = shown != null && shown.isAfter(last) ? shown : last;
    }
    return last;
  }
}

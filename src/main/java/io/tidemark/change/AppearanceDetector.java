package io.tidemark.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.CoinDay;
import io.tidemark.event.Pool;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Whether a resource seen for the first time was there before: baseline, created or found. */
final class AppearanceDetector {
  /** A day's snapshot is available this long after the day is over. */
  private static final Duration AVAILABLE = Duration.ofDays(1).plusMinutes(35);

  /** How late a day may be looked at and still be news. */
  private static final Duration LATE = Duration.ofDays(1);

  /** Resources of which an answer shows all there are; of tickers where the list ended with its pages. */
  private static final Set<ResourceKind> COMPLETE =
      Set.of(ResourceKind.TICKER, ResourceKind.CONTRACT, ResourceKind.HOLDING, ResourceKind.PLATFORM);

  private AppearanceDetector() {}

  /** Says of a draft at first sight what it is. */
  static void detect(ResourceDraft draft, ResourceObservation observation, int page, SnapshotContext look,
      @Nullable String list, KnownResources names) {
    if (observation.observed().resource() instanceof CoinDay day) {
      detect(draft, day, look);
    } else if (look.first(page)) {
      draft.baseline = true;
    } else {
      Instant created = created(observation.observed().resource());
      draft.appeared =
          Appeared.newBuilder()
              .setKind(isNew(draft.kind, created, look, list, names) ? "created" : "found")
              .setList(observation.rank() > 0 ? list : null)
              .setRank(observation.rank() > 0 ? observation.rank() : null)
              .setAgeSeconds(created == null ? null : seconds(created, look.observedAt()))
              .build();
    }
  }

  private static void detect(ResourceDraft draft, CoinDay day, SnapshotContext look) {
    Instant available = LocalDate.parse(day.getDate()).atStartOfDay(ZoneOffset.UTC).toInstant().plus(AVAILABLE);
    draft.baseline =
        available.isBefore(look.watchingSince()) || available.plus(LATE).isBefore(look.observedAt());
    if (!draft.baseline) {
      draft.appeared =
          Appeared.newBuilder().setKind("created").setAgeSeconds(seconds(available, look.observedAt())).build();
    }
  }

  private static boolean isNew(
      ResourceKind kind, @Nullable Instant created, SnapshotContext look, @Nullable String list, KnownResources names) {
    if (COMPLETE.contains(kind)) {
      return kind != ResourceKind.TICKER || look.ended();
    }
    return created != null
        && (!created.isBefore(look.watchingSince()) || (list != null && reachedBack(list, created, look, names)));
  }

  /** Whether the last sweep of newest pools went back beyond that time, and so lacked what is of it. */
  private static boolean reachedBack(String list, Instant created, SnapshotContext look, KnownResources names) {
    if (!list.endsWith("/new")
        || !(look.states().find(ResourceKind.RANKING.name(), list) instanceof RankingState state)) {
      return false;
    }
    RankingOrder order = state.getKnown().getOrder();
    Instant back = order == null ? null : oldest(order.getEntries(), names);
    return back != null && back.isBefore(created);
  }

  /** When the last of newest pools was created that says so; null where none does. */
  private static @Nullable Instant oldest(List<String> newest, KnownResources names) {
    for (String pool : newest.reversed()) {
      Instant created = created(names.known(ResourceKind.POOL, pool));
      if (created != null) {
        return created;
      }
    }
    return null;
  }

  /** The resource's own time of creation; null where it has none. */
  static @Nullable Instant created(@Nullable IndexedRecord resource) {
    return resource instanceof Pool pool && pool.getDescription() != null
        ? ServiceTimes.iso(pool.getDescription().getPoolCreatedAt())
        : null;
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1000.0;
  }
}

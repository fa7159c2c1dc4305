package io.tidemark.eventlog;

import io.tidemark.event.PageRecord;
import io.tidemark.event.Removed;
import io.tidemark.eventlog.ObservedResource.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The law that a resource is removed exactly if two complete answers, of different times, no longer show it. */
final class AbsenceLaw {
  private static final String LAW = "what is absent is removed";

  private static final Map<String, String> COMPLETE = Map.of(
      "coin_tickers", "ticker",
      "derivatives_exchange", "contract",
      "treasury", "holding",
      "asset_platforms", "platform");

  private static final Map<String, Set<String>> REASONS = Map.of(
      "ticker", Set.of("delisted"),
      "contract", Set.of("expired", "absent"),
      "holding", Set.of("closed"),
      "platform", Set.of("absent"));

  private final Consumer<Violation> violations;

  /** By target, the resources that it showed and that are not removed, each with the first answer without it. */
  private final Map<String, Map<Ref, @Nullable FirstLack>> members = new HashMap<>();

  /** Removed resources. They do not count as missing, and return when a new answer shows them. */
  private final Set<Ref> removed = new HashSet<>();

  /** The first answer that lacks a resource. */
  private record FirstLack(Instant at, @Nullable Instant asOf, List<String> digests) {
    private static final Map<String, Duration> PERIODS = Map.of(
        "coin_tickers", Duration.ofMinutes(2),
        "derivatives_exchange", Duration.ofSeconds(30),
        "treasury", Duration.ofMinutes(5),
        "asset_platforms", Duration.ofMinutes(5));

    static FirstLack of(SnapshotRecord snapshot) {
      return new FirstLack(snapshot.at(), snapshot.state().getAsOf(),
          snapshot.state().getPages().stream().map(PageRecord::getDigest).toList());
    }

    boolean isConfirmedBy(SnapshotRecord snapshot) {
      var later = of(snapshot);
      var isNewer = (asOf == null || later.asOf == null)
          ? !later.at.isBefore(at.plus(PERIODS.get(snapshot.state().getOperation())))
          : asOf.isBefore(later.asOf.minusSeconds(2));
      return isNewer || !digests.equals(later.digests);
    }
  }

  AbsenceLaw(Consumer<Violation> violations) {
    this.violations = violations;
  }

  void take(SnapshotRecord snapshot, List<RecordedChange> changes) {
    Set<Ref> recorded = changes.stream().filter(each -> each.part("removed") != null).map(RecordedChange::ref)
        .collect(Collectors.toSet());
    Set<Ref> nft =
        changes.stream().filter(AbsenceLaw::unsupported).map(RecordedChange::ref).collect(Collectors.toSet());
    changes.forEach(this::reason);
    judge(snapshot, changes, recorded, nft);
    removed.addAll(recorded);
  }

  /**
   * Forgets the absences of a kind of resources whose states were rebuilt from their changes. Absences from the
   * NFT-filtered list of platforms stay, because they are stored elsewhere.
   */
  void rebuild(String resource) {
    members.forEach((target, lacking) -> {
      if (!target.contains("filter=nft")) {
        lacking.replaceAll((ref, first) -> ref.resource().equals(resource) ? null : first);
      }
    });
  }

  private void judge(SnapshotRecord snapshot, List<RecordedChange> changes, Set<Ref> recorded, Set<Ref> nft) {
    String kind = completeKind(snapshot);
    if (kind == null) {
      changes.stream().filter(each -> recorded.contains(each.ref())).forEach(each -> violations
          .accept(each.violation(LAW, "removed", "nothing: the snapshot is not complete", each.part("removed"))));
      return;
    }
    judge(snapshot, kind, snapshot.isNft() ? nft : recorded, snapshot.isNft() ? "nft.supported false" : "removed");
  }

  private static boolean unsupported(RecordedChange change) {
    var facet = change.facets().get("nft");
    return change.resource().equals("platform") && facet != null
        && Boolean.FALSE.equals(facet.after().get("supported"));
  }

  private void judge(SnapshotRecord snapshot, String kind, Set<Ref> recorded, String what) {
    Map<Ref, @Nullable FirstLack> lacking = members.computeIfAbsent(snapshot.target(), any -> new HashMap<>());
    Set<Ref> observed = snapshot.pages().stream()
        .flatMap(page -> page.observations.stream())
        .map(ObservedResource::ref)
        .filter(ref -> ref.resource().equals(kind))
        .collect(Collectors.toSet());
    if (snapshot.state().getChanged() && !snapshot.isNft()) {
      removed.removeAll(observed);
    }
    if (!snapshot.isNft()) {
      lacking.keySet().removeAll(removed);
    }
    var missing = new HashSet<>(lacking.keySet());
    missing.removeAll(observed);
    for (Ref ref : missing) {
      FirstLack first = lacking.get(ref);
      boolean confirmed = first != null && first.isConfirmedBy(snapshot);
      if (confirmed != recorded.contains(ref)) {
        report(snapshot, ref, confirmed ? "a change with " + what : "nothing: it is not confirmed",
            "missing since " + first);
      }
      if (confirmed || recorded.contains(ref)) {
        lacking.remove(ref);
      } else if (first == null) {
        lacking.put(ref, FirstLack.of(snapshot));
      }
    }
    observed.forEach(ref -> {
      lacking.put(ref, null);
      if (recorded.contains(ref)) {
        report(snapshot, ref, "nothing: the snapshot shows it", what);
      }
    });
    recorded.stream().filter(ref -> !missing.contains(ref) && !observed.contains(ref))
        .forEach(ref -> report(snapshot, ref, "nothing: the target did not show it before", what));
  }

  /** Returns the kind of which the snapshot shows all resources; null if there is none. */
  private static @Nullable String completeKind(SnapshotRecord snapshot) {
    if (snapshot.disbelieved() || !snapshot.state().getComplete() || snapshot.pages().isEmpty()) {
      return null;
    }
    ParsedBody last = snapshot.pages().get(snapshot.pages().size() - 1);
    boolean contracts = last.query.parameters().containsKey("include_tickers");
    String operation = last.query.operation();
    return last.last && (!operation.equals("derivatives_exchange") || contracts) ? COMPLETE.get(operation) : null;
  }

  private void reason(RecordedChange change) {
    if (change.part("removed") instanceof Removed left
        && !REASONS.getOrDefault(change.resource(), Set.of("not_found")).contains(left.getReason())) {
      violations.accept(
          change.violation(LAW, "removed.reason", REASONS.get(change.resource()), left.getReason()));
    }
  }

  private void report(SnapshotRecord snapshot, Ref ref, String expected, String found) {
    violations.accept(new Violation(LAW, ref.resource(), ref.key(), 0, snapshot.name(), expected, found));
  }
}

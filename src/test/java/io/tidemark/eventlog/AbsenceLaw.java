package io.tidemark.eventlog;

import io.tidemark.event.Removed;
import io.tidemark.eventlog.ObservedResource.Ref;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What leaves: that which a complete answer no longer shows; at once where it has one page and most of it is still
 * there, else when a second look in a row lacks it too.
 */
final class AbsenceLaw {
  private static final String LAW = "what is gone has left";

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

  private final Consumer<Violation> complaints;

  /** By target: those it showed that have not left, each with the looks in a row that lacked it. */
  private final Map<String, Map<Ref, Integer>> members = new HashMap<>();

  /** What has left already: of that a whole list lacks nothing, and it is back when a new answer of one shows it. */
  private final Set<Ref> gone = new HashSet<>();

  AbsenceLaw(Consumer<Violation> complaints) {
    this.complaints = complaints;
  }

  void take(SnapshotRecord snapshot, List<RecordedChange> changes) {
    Set<Ref> said = changes.stream().filter(each -> each.part("removed") != null).map(RecordedChange::ref)
        .collect(Collectors.toSet());
    Set<Ref> nft =
        changes.stream().filter(AbsenceLaw::unsupported).map(RecordedChange::ref).collect(Collectors.toSet());
    changes.forEach(this::reason);
    judge(snapshot, changes, said, nft);
    gone.addAll(said);
  }

  private void judge(SnapshotRecord snapshot, List<RecordedChange> changes, Set<Ref> said, Set<Ref> nft) {
    String kind = completeKind(snapshot);
    if (kind == null) {
      changes.stream().filter(each -> said.contains(each.ref())).forEach(each -> complaints
          .accept(each.complaint(LAW, "removed", "nothing: the look is not complete", each.part("removed"))));
      return;
    }
    judge(snapshot, kind, snapshot.isNft() ? nft : said, snapshot.isNft() ? "nft.supported false" : "removed");
  }

  private static boolean unsupported(RecordedChange change) {
    var facet = change.facets().get("nft");
    return change.resource().equals("platform") && facet != null
        && Boolean.FALSE.equals(facet.after().get("supported"));
  }

  private void judge(SnapshotRecord snapshot, String kind, Set<Ref> said, String what) {
    Map<Ref, Integer> lacking = members.computeIfAbsent(snapshot.target(), any -> new HashMap<>());
    Set<Ref> observed = snapshot.pages().stream()
        .flatMap(page -> page.observations.stream())
        .map(ObservedResource::ref)
        .filter(ref -> ref.resource().equals(kind))
        .collect(Collectors.toSet());
    if (snapshot.state().getChanged() && !snapshot.isNft()) {
      gone.removeAll(observed);
    }
    if (!snapshot.isNft()) {
      lacking.keySet().removeAll(gone);
    }
    var missing = new HashSet<>(lacking.keySet());
    missing.removeAll(observed);
    boolean certain = snapshot.pages().size() == 1 && !kind.equals("ticker") && missing.size() * 2 <= lacking.size();
    for (Ref ref : missing) {
      int times = lacking.merge(ref, 1, Integer::sum);
      if (said.contains(ref)) {
        lacking.remove(ref);
      } else if (times >= 2 || certain) {
        complain(snapshot, ref, "a change that says " + what, "nothing, missing for " + times + " looks");
        lacking.remove(ref);
      }
    }
    observed.forEach(ref -> {
      lacking.put(ref, 0);
      if (said.contains(ref)) {
        complain(snapshot, ref, "nothing: the look shows it", what);
      }
    });
    said.stream().filter(ref -> !missing.contains(ref) && !observed.contains(ref))
        .forEach(ref -> complain(snapshot, ref, "nothing: the target did not show it before", what));
  }

  /** The kind of which the look shows all there are; null where it does not. */
  private static @Nullable String completeKind(SnapshotRecord snapshot) {
    if (snapshot.disbelieved() || !snapshot.state().getComplete() || snapshot.pages().isEmpty()) {
      return null;
    }
    ParsedBody last = snapshot.pages().get(snapshot.pages().size() - 1);
    boolean contracts = last.asked.parameters().containsKey("include_tickers");
    String operation = last.asked.operation();
    return last.last && (!operation.equals("derivatives_exchange") || contracts) ? COMPLETE.get(operation) : null;
  }

  private void reason(RecordedChange change) {
    if (change.part("removed") instanceof Removed left
        && !REASONS.getOrDefault(change.resource(), Set.of("not_found")).contains(left.getReason())) {
      complaints.accept(
          change.complaint(LAW, "removed.reason", REASONS.get(change.resource()), left.getReason()));
    }
  }

  private void complain(SnapshotRecord snapshot, Ref ref, String expected, String found) {
    complaints.accept(new Violation(LAW, ref.resource(), ref.key(), 0, snapshot.name(), expected, found));
  }
}

package io.tidemark.tape;

import io.tidemark.event.Left;
import io.tidemark.tape.Observation.Ref;
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
      "contract", Set.of("expired", "removed"),
      "holding", Set.of("closed"),
      "platform", Set.of("removed"));

  private final Consumer<Complaint> complaints;

  /** By target: those it showed that have not left, each with the looks in a row that lacked it. */
  private final Map<String, Map<Ref, Integer>> members = new HashMap<>();

  /** What has left already: of that a whole list lacks nothing, and it is back when a new answer of one shows it. */
  private final Set<Ref> gone = new HashSet<>();

  AbsenceLaw(Consumer<Complaint> complaints) {
    this.complaints = complaints;
  }

  void take(Look look, List<Change> changes) {
    Set<Ref> said = changes.stream().filter(each -> each.part("left") != null).map(Change::ref)
        .collect(Collectors.toSet());
    Set<Ref> nft = changes.stream().filter(AbsenceLaw::unsupported).map(Change::ref).collect(Collectors.toSet());
    changes.forEach(this::reason);
    judge(look, changes, said, nft);
    gone.addAll(said);
  }

  private void judge(Look look, List<Change> changes, Set<Ref> said, Set<Ref> nft) {
    String kind = completeKind(look);
    if (kind == null) {
      changes.stream().filter(each -> said.contains(each.ref())).forEach(each -> complaints
          .accept(each.complaint(LAW, "left", "nothing: the look is not complete", each.part("left"))));
      return;
    }
    judge(look, kind, look.isNft() ? nft : said, look.isNft() ? "nft.supported false" : "left");
  }

  private static boolean unsupported(Change change) {
    var facet = change.facets().get("nft");
    return change.resource().equals("platform") && facet != null
        && Boolean.FALSE.equals(facet.after().get("supported"));
  }

  private void judge(Look look, String kind, Set<Ref> said, String what) {
    Map<Ref, Integer> lacking = members.computeIfAbsent(look.target(), any -> new HashMap<>());
    Set<Ref> shown = look.pages().stream()
        .flatMap(page -> page.observations.stream())
        .map(Observation::ref)
        .filter(ref -> ref.resource().equals(kind))
        .collect(Collectors.toSet());
    if (look.state().getChanged() && !look.isNft()) {
      gone.removeAll(shown);
    }
    if (!look.isNft()) {
      lacking.keySet().removeAll(gone);
    }
    var missing = new HashSet<>(lacking.keySet());
    missing.removeAll(shown);
    boolean certain = look.pages().size() == 1 && !kind.equals("ticker") && missing.size() * 2 <= lacking.size();
    for (Ref ref : missing) {
      int times = lacking.merge(ref, 1, Integer::sum);
      if (said.contains(ref)) {
        lacking.remove(ref);
      } else if (times >= 2 || certain) {
        complain(look, ref, "a change that says " + what, "nothing, missing for " + times + " looks");
        lacking.remove(ref);
      }
    }
    shown.forEach(ref -> {
      lacking.put(ref, 0);
      if (said.contains(ref)) {
        complain(look, ref, "nothing: the look shows it", what);
      }
    });
    said.stream().filter(ref -> !missing.contains(ref) && !shown.contains(ref))
        .forEach(ref -> complain(look, ref, "nothing: the target did not show it before", what));
  }

  /** The kind of which the look shows all there are; null where it does not. */
  private static @Nullable String completeKind(Look look) {
    if (look.disbelieved() || !look.state().getComplete() || look.pages().isEmpty()) {
      return null;
    }
    Page last = look.pages().get(look.pages().size() - 1);
    boolean contracts = last.asked.parameters().containsKey("include_tickers");
    String operation = last.asked.operation();
    return last.last && (!operation.equals("derivatives_exchange") || contracts) ? COMPLETE.get(operation) : null;
  }

  private void reason(Change change) {
    if (change.part("left") instanceof Left left
        && !REASONS.getOrDefault(change.resource(), Set.of("not_found")).contains(left.getReason())) {
      complaints.accept(
          change.complaint(LAW, "left.reason", REASONS.get(change.resource()), left.getReason()));
    }
  }

  private void complain(Look look, Ref ref, String expected, String found) {
    complaints.accept(new Complaint(LAW, ref.resource(), ref.key(), 0, look.name(), expected, found));
  }
}

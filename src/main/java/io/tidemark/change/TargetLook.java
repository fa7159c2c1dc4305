package io.tidemark.change;

import io.tidemark.event.PageLook;
import io.tidemark.event.Refusal;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Query;
import io.tidemark.market.Sweep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sweep beside the one before it, as records of the target. */
record TargetLook(Look look, Sweep sweep) {

  /** Reason of a refusal: older than what is known. */
  static final String OLDER = "older";

  /** Whether the bodies are those of the sweep before, all of which is known as it was shown and awaits no confirmation. */
  boolean unchanged() {
    TargetState before = look.before();
    return before != null
        && sweep.complete()
        && before.getComplete()
        && before.getAwaiting() == 0
        && before.getDiffering() == 0
        && !Sightings.stale(before, look.observedAt())
        && before.getRefusals().stream().noneMatch(refusal -> OLDER.equals(refusal.getReason()))
        && !sweep.pages().isEmpty()
        && digests(before).equals(sweep.pages().stream().map(Answer::digest).toList());
  }

  private static List<String> digests(TargetState state) {
    return state.getPages().stream().map(PageLook::getDigest).toList();
  }

  /** Whether the same body was there at the look before, and was not understood then either. */
  boolean buried(Answer<?> answer) {
    return look.before() != null && !look.before().getComplete() && digests(look.before()).contains(answer.digest());
  }

  /** Whether a page is older than it was at the look before. */
  boolean older() {
    List<PageLook> before = look.before() == null ? List.of() : look.before().getPages();
    for (int i = 0; i < Math.min(before.size(), sweep.pages().size()); i++) {
      if (Draft.older(sweep.pages().get(i).asOf(), before.get(i).getAsOf())) {
        return true;
      }
    }
    return false;
  }

  /** Nothing but the look itself is new. */
  Outcome same() {
    TargetState before = Objects.requireNonNull(look.before());
    TargetState state =
        state(before.getMembers(), before.getReached(), 0, List.of()).setChanged(false).build();
    return new Outcome(state, List.of(), List.of(), List.of(), List.of());
  }

  /** Nothing of it is believed; what was last seen stays, and the look does not count. */
  Outcome refused() {
    TargetState before = Objects.requireNonNull(look.before());
    TargetState state =
        TargetState.newBuilder(before)
            .setSweep(look.sweep())
            .setTriedAt(look.observedAt())
            .setChanged(false)
            .setRefusals(List.of(new Refusal(look.target().query().operation().wire(), OLDER, 1L)))
            .build();
    return new Outcome(state, List.of(), List.of(), List.of(), List.of());
  }

  TargetState.Builder state(int members, boolean reached, int awaiting, List<Refusal> refusals) {
    return TargetState.newBuilder()
        .setTarget(look.target().name())
        .setSource(look.target().source())
        .setOperation(look.target().query().operation().wire())
        .setSweep(look.sweep())
        .setObservedAt(look.observedAt())
        .setPreviousObservedAt(look.seenBefore())
        .setAsOf(asOf())
        .setTriedAt(look.observedAt())
        .setSeenPages(look.target().pages())
        .setEnded(sweep.exhausted())
        .setPages(pages())
        .setComplete(sweep.complete())
        .setReached(reached)
        .setMembers(members)
        .setChanged(true)
        .setAwaiting(awaiting)
        .setRefusals(refusals);
  }

  /**
   * The state after a look that did not show the target as a whole: when it was last seen, if it ever was, stays.
   *
   * @param pages those that were shown
   */
  TargetState.Builder unseen(int pages, int members, boolean reached, int awaiting, List<Refusal> refusals) {
    TargetState.Builder state =
        state(members, reached, awaiting, refusals)
            .setSeenPages(Math.max(pages, look.seenPages()))
            .setEnded(look.ended());
    TargetState before = look.before();
    return before == null || look.seenPages() == 0
        ? state
        : state
            .setObservedAt(before.getObservedAt())
            .setPreviousObservedAt(before.getPreviousObservedAt())
            .setAsOf(before.getAsOf());
  }

  /** The service's own time of the oldest page; null where none is known. */
  private @Nullable Instant asOf() {
    return sweep.pages().stream()
        .map(Answer::asOf)
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  private List<PageLook> pages() {
    List<PageLook> pages = new ArrayList<>();
    for (Answer<?> answer : sweep.pages()) {
      pages.add(
          PageLook.newBuilder()
              .setPage(answer.query() instanceof Query.Paged<?> paged ? paged.page() : 1)
              .setDigest(answer.digest())
              .setRequestId(answer.requestId())
              .setSentAt(answer.sentAt())
              .setReceivedAt(answer.receivedAt())
              .setAsOf(answer.asOf())
              .build());
    }
    return pages;
  }
}

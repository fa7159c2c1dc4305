package io.tidemark.change;

import io.tidemark.event.PageRecord;
import io.tidemark.event.Rejection;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sweep beside the one before it, as records of the target. */
record TargetProgress(SnapshotContext look, Snapshot snapshot) {

  /** Reason of a refusal: older than what is known. */
  static final String OLDER = "older";

  /** Whether the bodies are those of the sweep before, all of which is known as it was shown and awaits no confirmation. */
  boolean unchanged() {
    TargetState before = look.before();
    return before != null
        && snapshot.complete()
        && before.getComplete()
        && before.getAwaitingConfirmation() == 0
        && before.getConflicting() == 0
        && !ResourceVisibility.stale(before, look.observedAt())
        && before.getRejections().stream().noneMatch(refusal -> OLDER.equals(refusal.getReason()))
        && !snapshot.pages().isEmpty()
        && digests(before).equals(snapshot.pages().stream().map(Answer::digest).toList());
  }

  private static List<String> digests(TargetState state) {
    return state.getPages().stream().map(PageRecord::getDigest).toList();
  }

  /** Whether the same body was there at the look before, and was not understood then either. */
  boolean wasDeadLetter(Answer<?> answer) {
    return look.before() != null && !look.before().getComplete() && digests(look.before()).contains(answer.digest());
  }

  /** Whether a page is older than it was at the look before. */
  boolean older() {
    List<PageRecord> before = look.before() == null ? List.of() : look.before().getPages();
    for (int i = 0; i < Math.min(before.size(), snapshot.pages().size()); i++) {
      if (ResourceDraft.older(snapshot.pages().get(i).asOf(), before.get(i).getAsOf())) {
        return true;
      }
    }
    return false;
  }

  /** Nothing but the look itself is new. */
  ChangeSet unchangedState() {
    TargetState before = Objects.requireNonNull(look.before());
    TargetState state =
        state(before.getMembers(), before.getContiguous(), 0, List.of()).setChanged(false).build();
    return new ChangeSet(state, List.of(), List.of(), List.of(), List.of());
  }

  /** Nothing of it is believed; what was last seen stays, and the look does not count. */
  ChangeSet rejected() {
    TargetState before = Objects.requireNonNull(look.before());
    TargetState state =
        TargetState.newBuilder(before)
            .setSnapshot(look.snapshot())
            .setAttemptedAt(look.observedAt())
            .setChanged(false)
            .setRejections(List.of(new Rejection(look.target().query().operation().wire(), OLDER, 1L)))
            .build();
    return new ChangeSet(state, List.of(), List.of(), List.of(), List.of());
  }

  TargetState.Builder state(int members, boolean reached, int awaiting, List<Rejection> refusals) {
    return TargetState.newBuilder()
        .setTarget(look.target().name())
        .setSource(look.target().source())
        .setOperation(look.target().query().operation().wire())
        .setSnapshot(look.snapshot())
        .setObservedAt(look.observedAt())
        .setPreviousObservedAt(look.observedBefore())
        .setAsOf(asOf())
        .setAttemptedAt(look.observedAt())
        .setObservedPages(look.target().pages())
        .setExhausted(snapshot.exhausted())
        .setPages(pages())
        .setComplete(snapshot.complete())
        .setContiguous(reached)
        .setMembers(members)
        .setChanged(true)
        .setAwaitingConfirmation(awaiting)
        .setRejections(refusals);
  }

  /**
   * The state after a look that did not show the target as a whole: when it was last seen, if it ever was, stays.
   *
   * @param pages those that were shown
   */
  TargetState.Builder unseen(int pages, int members, boolean reached, int awaiting, List<Rejection> refusals) {
    TargetState.Builder state =
        state(members, reached, awaiting, refusals)
            .setObservedPages(Math.max(pages, look.observedPages()))
            .setExhausted(look.ended());
    TargetState before = look.before();
    return before == null || look.observedPages() == 0
        ? state
        : state
            .setObservedAt(before.getObservedAt())
            .setPreviousObservedAt(before.getPreviousObservedAt())
            .setAsOf(before.getAsOf());
  }

  /** The service's own time of the oldest page; null where none is known. */
  private @Nullable Instant asOf() {
    return snapshot.pages().stream()
        .map(Answer::asOf)
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  private List<PageRecord> pages() {
    List<PageRecord> pages = new ArrayList<>();
    for (Answer<?> answer : snapshot.pages()) {
      pages.add(
          PageRecord.newBuilder()
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

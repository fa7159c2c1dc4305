package io.tidemark.change;

import io.tidemark.event.Origin;
import io.tidemark.event.PageRecord;
import io.tidemark.event.Rejection;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot beside its target's last one and what is known: all that detection reads.
 *
 * @param before the target's state before the snapshot; null at its first
 * @param watchingSince when watching of the source began
 * @param visibility of resources at the time of the snapshot
 */
record SnapshotContext(Snapshot snapshot, @Nullable TargetState before, Instant watchingSince, KnownStates states,
    ResourceVisibility visibility) {

  SnapshotContext(Snapshot snapshot, @Nullable TargetState before, Instant watchingSince, KnownStates states) {
    this(snapshot, before, watchingSince, states, ResourceVisibility.ofMany(states, snapshot.observedAt()));
  }

  /** Reason of a rejection: the observation is older than what is known. */
  static final String OLDER = "older";

  /** Reason of a rejection: another target is informant, and which of both is newer cannot be told. */
  static final String CONCURRENT = "concurrent";

  /** The status of every answer that is a page. */
  private static final int OK = 200;

  /** How much the service's clock and the own clock may differ. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  Target target() {
    return snapshot.target();
  }

  Instant observedAt() {
    return snapshot.observedAt();
  }

  /** Number of the snapshot in its target, from 1. */
  private long number() {
    return before == null ? 1 : before.getSnapshot() + 1;
  }

  /** How many pages, from the first, an earlier snapshot showed. */
  int observedPages() {
    return before == null ? 0 : Objects.requireNonNullElse(before.getObservedPages(), target().pages());
  }

  /** Whether no earlier snapshot showed that page. */
  boolean isFirst(int page) {
    return page > observedPages();
  }

  /** Whether the last snapshot of the target showed a resource. */
  boolean showedBefore(String key) {
    return states.members(target().name()).stream().anyMatch(page -> page.getMembers().contains(key));
  }

  /** Whether the list ended with the pages of the last snapshot: what they lacked was not there. */
  boolean wasExhausted() {
    return before != null && before.getExhausted();
  }

  /** When the target was last observed before; null where it never was. */
  private @Nullable Instant previousObservedAt() {
    return before == null || observedPages() == 0 ? null : before.getObservedAt();
  }

  /** A time of the service, which cannot show what is yet to come: not later than the snapshot. */
  @Nullable
  Instant notAfterSnapshot(@Nullable Instant asOf) {
    return asOf != null && asOf.isAfter(observedAt()) ? observedAt() : asOf;
  }

  /** A time by which observations are older or newer; null where one of the clocks is wrong. */
  @Nullable
  Instant comparable(@Nullable Instant asOf) {
    return asOf != null && asOf.isAfter(observedAt().plus(CLOCK_TOLERANCE)) ? null : notAfterSnapshot(asOf);
  }

  Origin origin(@Nullable Instant asOf, boolean baseline) {
    return new Origin(target().source(), target().query().operation().wire(), target().name(), number(), baseline,
        false, observedAt(), previousObservedAt(), asOf);
  }

  /**
   * Whether nothing is new: the bodies are those of the last snapshot, all of which is known as it was shown, and
   * nothing awaits confirmation.
   */
  boolean isUnchanged() {
    return before != null
        && snapshot.complete()
        && before.getComplete()
        && before.getAwaitingConfirmation() == 0
        && before.getConflicting() == 0
        && !ResourceVisibility.isStale(before, observedAt())
        && before.getRejections().stream().noneMatch(SnapshotContext::isOfObservation)
        && !snapshot.pages().isEmpty()
        && digests(before).equals(snapshot.pages().stream().map(Answer::digest).toList());
  }

  /** Whether what was rejected may be accepted when it is shown again. */
  private static boolean isOfObservation(Rejection rejection) {
    return OLDER.equals(rejection.getReason()) || CONCURRENT.equals(rejection.getReason());
  }

  private static List<String> digests(TargetState state) {
    return state.getPages().stream().map(PageRecord::getDigest).toList();
  }

  /** Fingerprint of the bodies of the snapshot. */
  long digest() {
    var digests = snapshot.pages().stream().map(Answer::digest).collect(Collectors.joining(" "));
    return SchemaNormalization.fingerprint64(digests.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a page is older than the same page of the last snapshot. */
  boolean isOlder() {
    List<PageRecord> pages = before == null ? List.of() : before.getPages();
    return IntStream.range(0, Math.min(pages.size(), snapshot.pages().size()))
        .anyMatch(i -> InformantElection.isOlder(snapshot.pages().get(i).asOf(), pages.get(i).getAsOf()));
  }

  /** What an unchanged snapshot comes to: the record of the poll. */
  ChangeSet unchanged() {
    var last = Objects.requireNonNull(before);
    return ChangeSet.of(
        completeState(last.getMembers(), last.getContiguous(), 0, last.getRejections()).setChanged(false).build());
  }

  /** What a rejected snapshot comes to: the last one stays, and the attempt is noted. */
  ChangeSet rejected() {
    return ChangeSet.of(
        TargetState.newBuilder(Objects.requireNonNull(before))
            .setSnapshot(number()).setAttemptedAt(observedAt()).setChanged(false)
            .setRejections(List.of(new Rejection(target().query().operation().wire(), OLDER, 1L)))
            .build());
  }

  /** The target's state after a snapshot of all its pages. */
  TargetState.Builder completeState(int members, boolean contiguous, int unconfirmed, List<Rejection> rejections) {
    return TargetState.newBuilder()
        .setTarget(target().name()).setSource(target().source())
        .setOperation(target().query().operation().wire()).setSnapshot(number()).setObservedAt(observedAt())
        .setPreviousObservedAt(previousObservedAt()).setAsOf(asOf()).setAttemptedAt(observedAt())
        .setObservedPages(target().pages()).setExhausted(snapshot.exhausted())
        .setPages(snapshot.pages().stream().map(SnapshotContext::page).toList())
        .setComplete(snapshot.complete()).setContiguous(contiguous).setMembers(members).setChanged(true)
        .setAwaitingConfirmation(unconfirmed).setRejections(rejections)
        .setDeadLetters(before == null ? List.of() : before.getDeadLetters())
        // Without a value of its own, a field costs the builder a search for its default.
        .setSuppressed(List.of()).setMissed(null).setConflicting(0).setRetry(null)
        .setMemory(ByteBuffer.allocate(0)).setLearned(ByteBuffer.allocate(0));
  }

  /**
   * The target's state after a snapshot that lacks pages or resources: the time of the last complete one stays.
   *
   * @param pages how many pages it has
   */
  TargetState.Builder partialState(
      int pages, int members, boolean contiguous, int unconfirmed, List<Rejection> rejections) {
    var state = completeState(members, contiguous, unconfirmed, rejections)
        .setObservedPages(Math.max(pages, observedPages())).setExhausted(wasExhausted());
    return before == null || observedPages() == 0
        ? state
        : state
            .setObservedAt(before.getObservedAt()).setPreviousObservedAt(before.getPreviousObservedAt())
            .setAsOf(before.getAsOf());
  }

  /** The service's own time of the oldest page; null where none is known. */
  @Nullable
  Instant asOf() {
    return snapshot.pages().stream().map(Answer::asOf).filter(Objects::nonNull).min(Instant::compareTo).orElse(null);
  }

  private static PageRecord page(Answer<?> answer) {
    var page = answer.query() instanceof Query.Paged<?> paged ? paged.page() : 1;
    return new PageRecord(page, OK, answer.digest(), answer.requestId(), answer.sentAt(), answer.receivedAt(),
        answer.asOf());
  }
}

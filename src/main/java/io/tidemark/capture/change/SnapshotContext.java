package io.tidemark.capture.change;

import io.tidemark.event.Origin;
import io.tidemark.event.PageRecord;
import io.tidemark.event.Rejection;
import io.tidemark.event.TargetMembers;
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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.SchemaNormalization;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot, the previous state of its target, and the known states: everything that detection reads.
 *
 * @param before the target's state before the snapshot; null for the target's first snapshot
 * @param watchingSince time at which watching of the source began
 * @param visibility visibility of resources at the time of the snapshot
 * @param now time of the detection; that of the snapshot, unless the snapshot is committed out of order
 */
record SnapshotContext(Snapshot snapshot, @Nullable TargetState before, Instant watchingSince, KnownStates states,
    ResourceVisibility visibility, Instant now) {

  /**
   * Reason for rejecting an observation: it is older than the informant's newest observation. Also the reason for
   * rejecting a whole snapshot: one of its pages is older than the same page of the last snapshot.
   */
  static final String OLDER = "older";

  /** Reason for rejecting an observation: the informant is another target, whose observation may be newer. */
  static final String CONCURRENT = "concurrent";

  /** HTTP status of every answer that is a page. */
  static final int OK = 200;

  /** Maximum plausible difference between the service's clock and this instance's clock. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  Target target() {
    return snapshot.target();
  }

  Instant observedAt() {
    return snapshot.observedAt();
  }

  /** Returns whether the snapshot is committed after newer ones may have been. */
  boolean isOutOfOrder() {
    return now.isAfter(observedAt());
  }

  /** Returns the number of the snapshot among the snapshots of its target, from 1. */
  private long number() {
    return before == null ? 1 : before.getSnapshot() + 1;
  }

  /** Returns the number of pages, counted from the first page, that an earlier snapshot showed. */
  int observedPages() {
    return before == null ? 0 : Objects.requireNonNullElse(before.getObservedPages(), target().pages());
  }

  /** Returns whether no earlier snapshot showed the page. */
  boolean isFirst(int page) {
    return page > observedPages();
  }

  /** Returns the keys of members of the target, by the name of their kind. */
  Map<String, Set<String>> byKind(List<TargetMembers> members) {
    return ResourceVisibility.byKind(target().query().operation(), members);
  }

  /** Returns whether the last snapshot reached the end of the list, so that it lacked no resource of the list. */
  boolean wasExhausted() {
    return before != null && before.getExhausted();
  }

  /** Returns the time at which the target was last observed before this snapshot, or null if it was not observed. */
  private @Nullable Instant previousObservedAt() {
    return before == null || observedPages() == 0 ? null : before.getObservedAt();
  }

  /** Limits a time of the service to the time of the snapshot, since a snapshot cannot show the future. */
  @Nullable
  Instant notAfterSnapshot(@Nullable Instant asOf) {
    return asOf != null && asOf.isAfter(observedAt()) ? observedAt() : asOf;
  }

  /**
   * Returns the time by which an observation is compared with another to decide which of them is newer. Returns null if
   * the service's time is so far after the snapshot that one of the clocks must be wrong.
   */
  @Nullable
  Instant comparable(@Nullable Instant asOf) {
    return notAfterSnapshot(plausible(asOf, observedAt()));
  }

  /**
   * Returns a time of the service, or null if it is so far after the arrival of the answer that one of the clocks must
   * be wrong. Every later answer would count as older than such a time.
   */
  static @Nullable Instant plausible(@Nullable Instant asOf, Instant receivedAt) {
    return asOf != null && asOf.isAfter(receivedAt.plus(CLOCK_TOLERANCE)) ? null : asOf;
  }

  private static @Nullable Instant asOf(Answer<?> answer) {
    return plausible(answer.asOf(), answer.receivedAt());
  }

  /** Returns the service's own time of a stored page, or null if it is not plausible. */
  static @Nullable Instant asOf(PageRecord page) {
    return plausible(page.getAsOf(), page.getReceivedAt());
  }

  Origin origin(@Nullable Instant asOf, boolean baseline) {
    return new Origin(target().source(), target().query().operation().wire(), target().name(), number(), baseline,
        false, observedAt(), previousObservedAt(), asOf);
  }

  /**
   * Returns whether the snapshot shows nothing new: both snapshots are complete, their bodies are equal, the known
   * values agree with them, no absence awaits confirmation, and the target is not stale.
   */
  boolean isUnchanged() {
    return before != null
        && snapshot.complete()
        && before.getComplete()
        && before.getAwaitingConfirmation() == 0
        && before.getConflicting() == 0
        && !visibility.isStale(before)
        && before.getRejections().stream().noneMatch(SnapshotContext::isOfObservation)
        && !snapshot.pages().isEmpty()
        && digests(before).equals(snapshot.pages().stream().map(Answer::digest).toList());
  }

  /** Returns whether the rejected observation may be accepted when a later snapshot shows it again. */
  private static boolean isOfObservation(Rejection rejection) {
    return OLDER.equals(rejection.getReason()) || CONCURRENT.equals(rejection.getReason());
  }

  private static List<String> digests(TargetState state) {
    return state.getPages().stream().map(PageRecord::getDigest).toList();
  }

  /** Returns a fingerprint of the bodies of the snapshot. */
  long digest() {
    var digests = snapshot.pages().stream().map(Answer::digest).collect(Collectors.joining(" "));
    return SchemaNormalization.fingerprint64(digests.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns whether some page is older, by more than the tolerance, than the same page of the last snapshot that was
   * not rejected, or of the last complete one.
   */
  boolean isOlder() {
    return before != null && (isOlder(before.getPages()) || isOlder(before.getLastCompletePages()));
  }

  private boolean isOlder(List<PageRecord> pages) {
    return IntStream.range(0, Math.min(pages.size(), snapshot.pages().size()))
        .anyMatch(i -> InformantElection.isOlder(asOf(snapshot.pages().get(i)), asOf(pages.get(i))));
  }

  /**
   * Returns the change set of an unchanged snapshot, which only records the poll in the target's state. The same list
   * reaches back to itself.
   */
  ChangeSet unchanged() {
    var last = Objects.requireNonNull(before);
    return ChangeSet.of(
        completeState(last.getMembers(), true, 0, last.getRejections()).setChanged(false).build());
  }

  /** The target's state still describes the last accepted snapshot, but records the attempt. */
  ChangeSet rejected() {
    return ChangeSet.of(
        TargetState.newBuilder(Objects.requireNonNull(before))
            .setSnapshot(number()).setAttemptedAt(observedAt()).setChanged(false)
            .setRejections(List.of(new Rejection(target().query().operation().wire(), OLDER, 1L)))
            .build());
  }

  /**
   * @param members number of resources that the target shows
   * @param unconfirmed number of members whose absence awaits confirmation
   */
  TargetState.Builder completeState(int members, boolean contiguous, int unconfirmed, List<Rejection> rejections) {
    return TargetState.newBuilder()
        .setTarget(target().name()).setSource(target().source())
        .setOperation(target().query().operation().wire()).setSnapshot(number()).setObservedAt(observedAt())
        .setPreviousObservedAt(previousObservedAt()).setAsOf(asOf()).setAttemptedAt(observedAt())
        .setObservedPages(target().pages()).setExhausted(snapshot.exhausted())
        .setPages(pages(snapshot.pages().size()))
        .setComplete(snapshot.complete()).setContiguous(contiguous).setMembers(members).setChanged(true)
        .setAwaitingConfirmation(unconfirmed).setRejections(rejections)
        .setDeadLetters(before == null ? List.of() : before.getDeadLetters())
        // The builder would look up the default of every field that is not set, so the other fields are set too.
        .setLastCompletePages(List.of()).setSuppressed(List.of()).setMissed(null).setConflicting(0).setRetry(null)
        .setMemory(ByteBuffer.allocate(0)).setLearned(ByteBuffer.allocate(0));
  }

  /**
   * Builds the target's state after a snapshot that lacks pages or resources. The state keeps the times of the last
   * observation, if there was one.
   *
   * @param pages number of pages that count as observed; 0 if a page lacks resources
   */
  TargetState.Builder partialState(
      int pages, int members, boolean contiguous, int unconfirmed, List<Rejection> rejections) {
    var state = completeState(members, contiguous, unconfirmed, rejections)
        .setObservedPages(Math.max(pages, observedPages())).setExhausted(wasExhausted());
    return before == null || observedPages() == 0
        ? state
        : state
            .setObservedAt(before.getObservedAt()).setPreviousObservedAt(before.getPreviousObservedAt())
            .setAsOf(before.getAsOf())
            .setLastCompletePages(before.getComplete() ? before.getPages() : before.getLastCompletePages());
  }

  /** Returns the service's own time of the oldest page, or null if no page has a plausible time. */
  @Nullable
  Instant asOf() {
    return snapshot.pages().stream().map(SnapshotContext::asOf).filter(Objects::nonNull).min(Instant::compareTo)
        .orElse(null);
  }

  /** Returns the records of the first pages of the snapshot. */
  List<PageRecord> pages(int count) {
    return snapshot.pages().stream().limit(count).map(SnapshotContext::page).toList();
  }

  private static PageRecord page(Answer<?> answer) {
    var page = answer.query() instanceof Query.Paged<?> paged ? paged.page() : 1;
    return new PageRecord(page, OK, answer.digest(), answer.requestId(), answer.sentAt(), answer.receivedAt(),
        asOf(answer));
  }
}

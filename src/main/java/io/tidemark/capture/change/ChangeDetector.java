package io.tidemark.capture.change;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.capture.change.PageObservations.RefusedResources;
import io.tidemark.capture.change.PageObservations.ResourceObservation;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.DeadLetterCount;
import io.tidemark.event.Rejection;
import io.tidemark.event.Suppressed;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A pure function that detects the differences between a snapshot of a target and the known states of its resources.
 */
public final class ChangeDetector {
  /**
   * Time for which further answers with the same problem are only counted, after one answer became a dead letter. It is
   * half the retention of dead letters.
   */
  private static final Duration COUNTED = Duration.ofDays(7);

  /**
   * Maximum number of reasons by which a target's answers are counted. A further reason replaces the one that
   * occurred longest ago.
   */
  private static final int MOST_COUNTS = 16;

  private static final int LONGEST_REASON = 200;

  /** Reason for rejecting a row: another row with the same key is used instead. */
  private static final String DUPLICATE = "duplicate";

  private final PublishDecision decision;
  private final ExpiryDetector expiries;
  private final UnaryOperator<Instant> monthStart;
  private final Instant watchingSince;

  /** Creates a detector for a source whose schedule does not depend on billing months. */
  public ChangeDetector(
      PublishSettings settings, Duration retention, Duration evictAfter, Instant watchingSince, Instant startedAt) {
    this(settings, retention, evictAfter, any -> Instant.MIN, watchingSince, startedAt);
  }

  /**
   * Creates a detector for one source.
   *
   * @param settings settings that decide when a change of a facet is published
   * @param retention retention of changes. A resource's first change in each half of the retention is a key frame,
   *     which includes all known facets
   * @param evictAfter time between the last observation of a resource and its eviction
   * @param monthStart returns the start of the billing month of a time
   * @param watchingSince time at which watching of the source first began
   * @param startedAt time at which this session of the source began to poll
   */
  public ChangeDetector(PublishSettings settings, Duration retention, Duration evictAfter,
      UnaryOperator<Instant> monthStart, Instant watchingSince, Instant startedAt) {
    this.decision = new PublishDecision(settings, retention.dividedBy(2));
    this.expiries = new ExpiryDetector(decision, evictAfter, startedAt, monthStart);
    this.monthStart = monthStart;
    this.watchingSince = watchingSince;
  }

  /**
   * Returns the change set of a snapshot. A body that cannot be read causes no exception. It becomes a dead letter,
   * or is only counted if the target recently had a dead letter for the same reason.
   */
  public ChangeSet detect(Snapshot snapshot, KnownStates states) {
    var context = context(snapshot, states, snapshot.observedAt());
    if (context.isUnchanged()) {
      return context.unchanged();
    }
    return context.isOlder() ? context.rejected() : detect(context);
  }

  /**
   * Returns the change set of a snapshot that is committed after newer snapshots of its target. Unlike {@link #detect},
   * does not reject the snapshot as a whole because of its age, but each observation that is older than the known one.
   * Derives no price of a token from the snapshot's pools, because a newer snapshot may have shown others. A resource
   * that a newer snapshot lacked stays missing.
   *
   * @param now the present time, by which the times of known observations are judged
   */
  public ChangeSet detectOutOfOrder(Snapshot snapshot, KnownStates states, Instant now) {
    return detect(context(snapshot, states, now));
  }

  private SnapshotContext context(Snapshot snapshot, KnownStates states, Instant now) {
    var visibility = ResourceVisibility.ofMany(states, snapshot.observedAt(), monthStart);
    return new SnapshotContext(
        snapshot, states.targetState(snapshot.target().name()), watchingSince, states, visibility, now);
  }

  private ChangeSet detect(SnapshotContext context) {
    var snapshot = context.snapshot();
    var detection = new SnapshotDetection(context, decision);
    return snapshot.failure() instanceof Failure.NotFound unknown && unknown.isConfirmed() && snapshot.pages().isEmpty()
        ? detection.notFound()
        : detection.detect();
  }

  /**
   * Returns the time at which the resource may next be due for an update that no snapshot causes. Returns null if no
   * such update will be due as long as a target shows the resource.
   */
  public @Nullable Instant nextDeadline(String resource, SpecificRecord state, KnownStates states, Instant now) {
    return expiries.nextDeadline(draft(resource, state), new ResourceVisibility(states, now, monthStart));
  }

  /**
   * Returns the update that is due for a resource by now, or null if none is due. The update marks the resource as
   * not visible, evicts it, or publishes its withheld values. The origin of an update that only publishes withheld
   * values is the snapshot that observed them.
   */
  public @Nullable ResourceUpdate onDeadline(String resource, SpecificRecord state, KnownStates states, Instant now) {
    return expiries.onDeadline(draft(resource, state), new ResourceVisibility(states, now, monthStart));
  }

  /**
   * Returns the time at which a target no longer counts as showing its resources, unless the target is observed again
   * before.
   */
  public Instant staleAt(TargetState target) {
    return ResourceVisibility.staleAt(target, monthStart);
  }

  /** Returns the earliest time at which resources may stop being visible because the target is stale. */
  public Instant earliestHiddenAt(TargetState target) {
    return expiries.earliestHiddenAt(target);
  }

  /**
   * Returns the time at which a target that is no longer watched is forgotten: at least {@code evict-after} after the
   * last poll of the target.
   */
  public Instant forgottenAt(TargetState target) {
    return expiries.forgottenAt(target);
  }

  /**
   * Returns the names of the remembered targets of a ranking or a coin's day. The resource is kept as long as one of
   * these targets is known. Returns an empty list for a resource of another kind.
   */
  public List<String> keptBy(String resource, SpecificRecord state) {
    var draft = draft(resource, state);
    return draft.kind().isAlwaysVisible() ? draft.memory().targets() : List.of();
  }

  /** Returns the keys of the resources that a target shows, by the name of their kind. */
  public static Map<String, Set<String>> resourcesOf(TargetState target, KnownStates states) {
    return ResourceVisibility.byKind(Operation.of(target.getOperation()), states.members(target.getTarget()));
  }

  private static ResourceDraft draft(String resource, SpecificRecord state) {
    var kind = ResourceKind.named(resource);
    return ResourceDraft.of(kind, kind.key(kind.states().known(state)), state);
  }

  /**
   * The detection of the changes in one snapshot, from the bodies of the pages to the change set. An instance is used
   * once.
   */
  private static final class SnapshotDetection {
    private final SnapshotContext context;
    private final PublishDecision decision;
    private final ResourceDrafts drafts;

    /** Keys of the target's members before this snapshot, by the name of their kind. */
    private final Map<String, Set<String>> shownBefore;
    private final AppearanceDetector appearances;
    private final AbsenceDetector absences;
    private final RankingDetector ranking;
    private final List<List<String>> members = new ArrayList<>();
    private final Set<String> included = new LinkedHashSet<>();
    private final Set<ResourceDraft> observed = new LinkedHashSet<>();
    private final Map<String, Rejection> rejections = new TreeMap<>();
    private final List<DeadLetter> deadLetters = new ArrayList<>();

    /** Number of the target's answers with the same reason to become a dead letter, by reason. */
    private final Map<String, DeadLetterCount> counts = new LinkedHashMap<>();

    /**
     * Rows that this detection has not yet processed, grouped by the name of the resource's kind and the resource's
     * key.
     */
    private final Map<String, List<ResourceObservation>> rows = new HashMap<>();

    /** Names of the resource kinds for which some page has several rows with the same key but different values. */
    private final Set<String> ambiguous = new HashSet<>();

    /**
     * Descriptions of the values that were too long and whose cut value has just become known, on the page that is
     * being processed.
     */
    private final List<String> cut = new ArrayList<>();

    /** Answers with a row that was not accepted, or with different rows that have the same key, by page number. */
    private final Map<Integer, Answer<?>> refusing = new TreeMap<>();

    /** Rank of each pool in the target's list, from 1, in order; null if no page has a list of pools. */
    private @Nullable Map<String, Integer> ranks;
    private boolean readable = true;
    private boolean lacking;
    private int conflicting;

    SnapshotDetection(SnapshotContext context, PublishDecision decision) {
      this.context = context;
      this.decision = decision;
      this.drafts = new ResourceDrafts(context.states());
      this.ranking = new RankingDetector(context, drafts, decision);
      this.shownBefore = context.byKind(context.states().members(context.target().name()));
      this.appearances = new AppearanceDetector(context, ranking.id(), drafts, shownBefore);
      this.absences = new AbsenceDetector(context, drafts);
      if (context.before() != null) {
        context.before().getDeadLetters().stream()
            .filter(each -> each.getSince().plus(COUNTED).isAfter(context.observedAt()))
            .forEach(each -> counts.put(each.getReason(), each));
      }
    }

    ChangeSet detect() {
      var pages = read();
      for (var i = 0; i < pages.size(); i++) {
        gather(pages.get(i), i + 1);
      }
      pages.forEach(this::observe);
      keepRefused();
      if (context.snapshot().failure() instanceof Failure.Unreadable unreadable) {
        keepUnreadable(unreadable, context.snapshot().pages().size() + 1);
      }
      return readable && !lacking && context.snapshot().complete() ? complete() : partial();
    }

    /** Returns the change set of a snapshot for which the service answered that it does not know the resource. */
    ChangeSet notFound() {
      var state = context.partialState(0, 0, true, absences.notFound(), List.of()).build();
      return new ChangeSet(state, List.of(), updates(), List.of(), List.of());
    }

    /** Reads the pages in order, and stops at the first page that cannot be read. */
    private List<PageObservations> read() {
      var pages = new ArrayList<PageObservations>();
      try {
        context.snapshot().pages().forEach(answer -> pages.add(PageObservations.of(answer)));
      } catch (Failure.Unreadable e) {
        readable = false;
        keepUnreadable(e, pages.size() + 1);
      }
      return pages;
    }

    /**
     * Gathers the rows of each key, in the order of the pages. If rows of one page have the same key but differ, the
     * page is noted for a dead letter. Rows on different pages may differ because the list moved between two requests.
     */
    private void gather(PageObservations page, int number) {
      var ofPage = new HashMap<String, ResourceObservation>();
      for (var row : page.observations()) {
        rows.computeIfAbsent(name(row), any -> new ArrayList<>(1)).add(row);
        var first = ofPage.putIfAbsent(name(row), row);
        if (first != null && !first.observation().equals(row.observation())) {
          ambiguous.add(row.kind().resource());
          refusing.put(number, context.snapshot().pages().get(number - 1));
        }
      }
    }

    private static String name(ResourceObservation row) {
      return row.kind().resource() + " " + row.key();
    }

    /**
     * Adds the whole answer as a dead letter if one of its values was cut and this cut value has just become the known
     * value.
     */
    private void keepCut(Answer<?> answer) {
      if (!cut.isEmpty()) {
        deadLetter(
            whole(answer, "values that are too long and are cut: %d; the first: %s".formatted(cut.size(), cut.get(0))),
            members.size());
        cut.clear();
      }
    }

    /**
     * Adds the answers with rejected rows as dead letters, but only if some row is the first of its kind that is
     * rejected for its reason. Further answers with the same kind and reason are only counted, for {@link #COUNTED}.
     * Rows that are older or concurrent cause no dead letter.
     */
    private void keepRefused() {
      var refused = rejections.values().stream()
          .filter(each -> isRefused(each)
              || (each.getReason().equals(DUPLICATE) && ambiguous.contains(each.getResource())))
          .toList();
      var first = refused.stream().filter(each -> isFirst(each.getResource() + " " + each.getReason())).toList();
      if (!first.isEmpty()) {
        var what = refused.stream()
            .map(each -> each.getCount() + " " + each.getResource() + " " + each.getReason())
            .collect(Collectors.joining(", ", "rows that are not taken: ", ""));
        refusing.forEach((page, answer) -> deadLetter(whole(answer, what), page));
      }
    }

    private void keepUnreadable(Failure.Unreadable unreadable, int page) {
      if (isFirst(String.valueOf(unreadable.getMessage()))) {
        deadLetter(unreadable, page);
      }
    }

    /**
     * Counts an answer that has a reason to become a dead letter, and returns whether the answer is the first with
     * this reason, or the first since the last count of the reason expired after {@link #COUNTED} or was left out
     * beyond {@link #MOST_COUNTS}. Reasons that differ only in their numbers, or in where a body stops being JSON, count
     * as the same reason.
     */
    private boolean isFirst(String reason) {
      var normal = reason.replaceAll("\\(at [^()]*, character [0-9]+\\)", "").replaceAll("[0-9]+", "#").strip();
      normal = normal.substring(0, Math.min(normal.length(), LONGEST_REASON));
      var last = counts.remove(normal);
      var now = context.observedAt();
      counts.put(normal, last == null
          ? new DeadLetterCount(normal, 1L, now, now)
          : new DeadLetterCount(normal, last.getCount() + 1, last.getSince(), now));
      if (counts.size() > MOST_COUNTS) {
        counts.remove(counts.keySet().iterator().next());
      }
      return last == null;
    }

    private static boolean isRefused(Rejection rejection) {
      return RefusedResources.REASONS.contains(rejection.getReason());
    }

    /**
     * Returns a failure with the body of a readable answer. Its only header is Date, the service's own time of the
     * answer, without which a replay would use the time of receipt. The header is left out if the time is not known or
     * before 1970, since the format has no negative years.
     */
    private static Failure.Unreadable whole(Answer<?> answer, String reason) {
      var asOf = answer.asOf();
      var headers = asOf == null || asOf.isBefore(Instant.EPOCH)
          ? Map.<String, String>of()
          : Map.of("date", RFC_1123_DATE_TIME.format(asOf.atOffset(ZoneOffset.UTC)));
      return new Failure.Unreadable(reason, answer.body().raw(), SnapshotContext.OK, headers);
    }

    /** Adds a dead letter. It is dated to the snapshot, so that a replay is compared with the states of that time. */
    private void deadLetter(Failure.Unreadable unreadable, int page) {
      var target = context.target();
      var pages = context.snapshot().pages();
      var sentAt = page > pages.size() ? context.observedAt() : pages.get(page - 1).sentAt();
      var letter = DeadLetter.newBuilder()
          .setSource(target.source()).setOperation(target.query().operation().wire()).setTarget(target.name())
          .setPage(page).setReason(unreadable.getMessage()).setStatus(unreadable.status())
          .setHeaders(unreadable.headers()).setSentAt(sentAt).setReceivedAt(context.observedAt());
      deadLetters.add(DeadLetterBody.putInto(letter, unreadable.raw()));
    }

    private void observe(PageObservations page) {
      var number = members.size() + 1;
      var answer = context.snapshot().pages().get(number - 1);
      if (page.listed() != null) {
        var ofList = ranks == null ? new LinkedHashMap<String, Integer>() : ranks;
        page.listed().forEach(pool -> ofList.putIfAbsent(pool, ofList.size() + 1));
        ranks = ofList;
      }
      page.observations().forEach(row -> observe(row, number));
      page.refused().forEach((refused, count) -> reject(refused.kind(), refused.reason(), count));
      members.add(page.members());
      included.addAll(page.included());
      var isWhole = page.whole() && !lacksTopPools(page);
      lacking |= !isWhole;
      keepCut(answer);
      if (!page.refused().isEmpty()) {
        refusing.put(number, answer);
      } else if (!isWhole) {
        keepUnreadable(whole(answer, "the answer has no list '%s'".formatted(requestedList())), number);
      }
    }

    /** Returns whether an answer about a token lacks the requested top pools although the token has had some. */
    private boolean lacksTopPools(PageObservations page) {
      return page.listed() == null && context.target().query() instanceof Query.TokenByAddress query
          && query.topPools() && ranking.isKnown();
    }

    private String requestedList() {
      return switch (context.target().query()) {
        case Query.TokenByAddress token -> "top_pools";
        case Query.PublicTreasury treasury -> "holdings";
        default -> "tickers";
      };
    }

    private void observe(ResourceObservation row, int page) {
      var kind = row.kind();
      var ofKey = rows.remove(name(row));
      if (ofKey == null) {
        reject(kind, DUPLICATE, 1);
        return;
      }
      var observation = new DuplicateRowChoice(drafts).choose(ofKey);
      var draft = drafts.open(kind, observation.key(), observation.resource());
      observed.add(draft);
      draft.setAsOf(context.notAfterSnapshot(observation.asOf()));
      if (draft.isNew()) {
        var rank = ranks != null && observation.isListed() ? ranks.get(observation.key()) : null;
        draft.appear(appearances.detect(observation, page, rank));
      } else {
        draft.setBaseline(context.isFirst(page));
        if (!context.isOutOfOrder()) {
          draft.reappear(context.observedAt(), !AbsenceDetector.isNftList(context.target().query()));
        }
      }
      var comparable = context.comparable(observation.orderedBy());
      for (var facet : FacetObservation.of(kind, observation.observation())) {
        var before = facet.facet().valueIn(draft.known());
        var vote = draft.observe(facet, context, comparable);
        var rejection = vote.rejection();
        if (rejection != null) {
          reject(kind, rejection, 1);
        } else if (!facet.isMergedBy(vote) && facet.conflictsWith(facet.facet().valueIn(draft.known()))) {
          conflicting++;
        }
        for (var value : facet.cuts()) {
          if (!value.isIn(before) && value.isIn(facet.facet().valueIn(draft.known()))) {
            cut.add("%s %s, %s.%s of %d characters".formatted(
                kind.resource(), draft.key(), facet.facet().name(), value.path(), value.length()));
          }
        }
      }
    }

    private void reject(ResourceKind kind, String reason, long count) {
      var resource = kind.resource();
      var rejection = rejections.computeIfAbsent(resource + " " + reason, key -> new Rejection(resource, reason, 0L));
      rejection.setCount(rejection.getCount() + count);
    }

    private ChangeSet complete() {
      var shown = new LinkedHashSet<String>();
      members.forEach(shown::addAll);
      absences.detect(shown, hasMoreUnidentified());
      var now = membersNow();
      absences.noteNotShown(shownBefore, context.byKind(now));
      var updates = updates();
      var order = ranks == null
          ? RankingDetector.RankingResult.NONE
          : ranking.detect(List.copyOf(ranks.keySet()), updates);
      if (order.update() != null) {
        updates.add(order.update());
      }
      if (order.rejection() != null) {
        reject(ResourceKind.RANKING, order.rejection(), 1);
      }
      var state = context
          .completeState(shown.size(), order.contiguous(), absences.unconfirmedCount(),
              List.copyOf(rejections.values()))
          .setConflicting(conflicting).setSuppressed(suppressed()).setMissed(order.missed())
          .setDeadLetters(List.copyOf(counts.values())).build();
      return new ChangeSet(state, changed(now), updates, order.listings(), deadLetters);
    }

    private boolean hasMoreUnidentified() {
      var before = context.before();
      return before != null && unidentified(rejections.values()) > unidentified(before.getRejections());
    }

    private static long unidentified(Collection<Rejection> rejections) {
      return rejections.stream().filter(SnapshotDetection::isRefused).mapToLong(Rejection::getCount).sum();
    }

    /**
     * Returns the change set of a snapshot that lacks pages, requested lists or accepted rows. Observations in the
     * snapshot are used, but a resource that the snapshot lacks does not count as absent, and the members and the
     * ranking of the target stay as they were.
     */
    private ChangeSet partial() {
      observed.forEach(this::noteShown);
      var before = context.before();
      var state = context
          .partialState(lacking ? 0 : members.size(), before == null ? 0 : before.getMembers(),
              before == null || before.getContiguous(), before == null ? 0 : before.getAwaitingConfirmation(),
              List.copyOf(rejections.values()))
          .setPages(context.pages(members.size())).setComplete(false).setSuppressed(suppressed())
          .setMissed(before == null ? null : before.getMissed())
          .setDeadLetters(List.copyOf(counts.values())).build();
      return new ChangeSet(state, List.of(), updates(), List.of(), deadLetters);
    }

    /**
     * Records, in a resource's memory, the time at which a partial snapshot showed the resource. The target's state
     * does not record this time.
     */
    private void noteShown(ResourceDraft draft) {
      var last = draft.memory().values().getLastObservedAt();
      if (last == null || last.isBefore(context.observedAt())) {
        draft.noteShown(context.observedAt());
      }
    }

    private List<ResourceUpdate> updates() {
      if (!context.isOutOfOrder()) {
        new DeepestPoolPrice(drafts, context).derive();
      }
      var updates = new ArrayList<ResourceUpdate>();
      for (var draft : drafts.all()) {
        var update = decision.decide(draft, draft.origin(context), drafts);
        if (update != null) {
          updates.add(update);
        }
      }
      return updates;
    }

    private List<Suppressed> suppressed() {
      var counts = new TreeMap<String, Suppressed>();
      for (var draft : drafts.all()) {
        var resource = draft.kind().resource();
        for (var facet : draft.suppressed()) {
          var count = counts.computeIfAbsent(resource + " " + facet, key -> new Suppressed(resource, facet, 0L));
          count.setCount(count.getCount() + 1);
        }
      }
      return List.copyOf(counts.values());
    }

    /** Returns the target's members, including those whose absence awaits confirmation. */
    private List<TargetMembers> membersNow() {
      var target = context.target().name();
      var now = new ArrayList<TargetMembers>();
      now.add(new TargetMembers(target, 0, List.copyOf(included), null));
      members.forEach(page -> now.add(new TargetMembers(target, now.size(), page, null)));
      absences.unconfirmed().forEach((absence, keys) -> now.add(new TargetMembers(target, now.size(), keys, absence)));
      return now;
    }

    /**
     * Returns the pages of members to write. An empty page that was never written is written only if it is before a
     * page with members, since the known members end at the first page that was never written.
     */
    private List<TargetMembers> changed(List<TargetMembers> now) {
      var target = context.target().name();
      var before = new TreeMap<Integer, TargetMembers>();
      context.states().members(target).forEach(page -> before.put(page.getPage(), page));
      var last = now.stream().filter(page -> !page.getMembers().isEmpty()).mapToInt(TargetMembers::getPage).max()
          .orElse(0);
      var changed = new ArrayList<TargetMembers>();
      now.forEach(page -> {
        var old = before.remove(page.getPage());
        var isNeeded = !page.getMembers().isEmpty() || (page.getPage() > 0 && page.getPage() < last);
        if (old == null ? isNeeded : !old.equals(page)) {
          changed.add(page);
        }
      });
      before.values().stream().filter(page -> !page.getMembers().isEmpty())
          .forEach(page -> changed.add(new TargetMembers(target, page.getPage(), List.of(), null)));
      return changed;
    }
  }
}

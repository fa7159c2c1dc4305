package io.tidemark.capture.change;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.capture.change.PublishSettings.Threshold;
import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.FacetView;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.RankingOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides which values of a {@link ResourceDraft} are published now and which are withheld, and builds the change that
 * publishes them.
 *
 * @param half half of the retention of changes. A resource's first change in each period of this length, and its first
 *     change after its removal, is a key frame, which includes all known facets
 */
record PublishDecision(PublishSettings settings, Duration half) {
  /**
   * Decides the update of a draft's resource. Returns null if there is nothing to write.
   *
   * @param snapshot origin of a change that the present snapshot causes
   */
  @Nullable
  ResourceUpdate decide(ResourceDraft draft, Origin snapshot, ResourceDrafts drafts) {
    var differing = draft.differing();
    var now = snapshot.getObservedAt();
    var origin = draft.hasNews() ? snapshot : draft.originOf(differing, snapshot);
    if (draft.isNew() || draft.hasNews() || differing.stream().anyMatch(facet -> isDue(draft, facet, now))) {
      return publish(draft, differing, origin, drafts, now);
    }
    draft.withhold(differing, origin);
    return draft.isTouched()
        ? new ResourceUpdate(draft.kind().resource(), draft.key(), null, draft.state(draft.revision(), now))
        : null;
  }

  /**
   * Publishes every facet that differs from its last published value, even if the facet is not due. Builds a change
   * even if no facet differs.
   */
  ResourceUpdate publish(ResourceDraft draft, Origin origin, ResourceDrafts drafts, Instant now) {
    return publish(draft, draft.differing(), origin, drafts, now);
  }

  private ResourceUpdate publish(
      ResourceDraft draft, List<FacetView> differing, Origin origin, ResourceDrafts drafts, Instant now) {
    var keyFrame = ChangeView.keyFrameStart(now, half);
    var revision = draft.revision() + 1;
    var ofChange = AvroRecords.copy(origin);
    ofChange.setBaseline(origin.getBaseline() && isBaseline(draft, differing));
    ofChange.setKeyFrame(!keyFrame.equals(draft.memory().values().getKeyFrame()));
    var change = change(draft, differing, ofChange, revision, drafts, now);
    draft.publish(differing, now, keyFrame);
    return new ResourceUpdate(draft.kind().resource(), draft.key(), change, draft.state(revision, now));
  }

  /**
   * Returns whether a change from a target's first snapshot is a baseline, because the resource is new or the change
   * only adds to published values. A ranking's change from a first snapshot is always a baseline, since a ranking
   * normally belongs to one target alone.
   */
  private static boolean isBaseline(ResourceDraft draft, List<FacetView> differing) {
    return draft.isNew()
        || draft.kind() == ResourceKind.RANKING
        || (!draft.hasNews() && differing.stream().allMatch(facet -> addsOnly(draft, facet)));
  }

  private static boolean addsOnly(ResourceDraft draft, FacetView facet) {
    var published = draft.published(facet);
    var known = facet.valueIn(draft.known());
    return published == null || (known != null && FacetObservation.holds(facet, published, known));
  }

  private boolean isDue(ResourceDraft draft, FacetView facet, Instant now) {
    var dueAt = dueAt(draft, facet);
    var publishedAt = draft.memory().publishedAt(facet.name());
    var isClockSetBack = publishedAt != null && publishedAt.isAfter(now);
    return dueAt != null && (isClockSetBack || !dueAt.isAfter(now));
  }

  /**
   * Returns the time at which a facet that differs from its last published value is due. Returns the epoch if no
   * value was published yet. Returns null if the difference is within the dead band, or the facet is published only
   * in a change that is published for another reason.
   */
  private @Nullable Instant dueAt(ResourceDraft draft, FacetView facet) {
    var threshold = settings.threshold(draft.kind().resource(), facet);
    if (threshold == null || isWithin(threshold, draft.published(facet), facet.valueIn(draft.known()))) {
      return null;
    }
    var publishedAt = draft.memory().publishedAt(facet.name());
    return publishedAt == null ? Instant.EPOCH : publishedAt.plus(threshold.interval());
  }

  /**
   * Returns whether two values differ only in numbers, and every difference is within the dead band. Returns false if
   * there is no dead band. Maps must be equal.
   */
  private static boolean isWithin(Threshold threshold, @Nullable Object published, @Nullable Object known) {
    if (threshold.percent() == 0 && threshold.absolute() == 0) {
      return false;
    }
    if (published instanceof IndexedRecord before && known instanceof IndexedRecord after) {
      return before.getSchema().getFields().stream()
          .allMatch(field -> isWithin(threshold, before.get(field.pos()), after.get(field.pos())));
    }
    return Objects.equals(published, known)
        || isClose(threshold, DecimalMath.number(published), DecimalMath.number(known));
  }

  private static boolean isClose(Threshold threshold, @Nullable Double before, @Nullable Double after) {
    return before != null
        && after != null
        && Math.abs(after - before) <= Math.max(threshold.absolute(), Math.abs(before) * threshold.percent() / 100);
  }

  /** Returns the time at which the first withheld facet is due, or null if no withheld facet becomes due by itself. */
  @Nullable
  Instant nextDueAt(ResourceDraft draft) {
    return draft.kind().facets().stream()
        .filter(draft::isWithheld)
        .map(facet -> dueAt(draft, facet))
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  /** Builds a change with the given differing facets or, if the change is a key frame, with all known facets. */
  private static SpecificRecord change(ResourceDraft draft, Collection<FacetView> differing, Origin origin,
      long revision, ResourceDrafts drafts, Instant now) {
    var view = draft.kind().changes();
    var change = view.emptyChange(draft.known(), draft.generation(now), revision);
    AvroRecords.put(change, "origin", origin);
    AvroRecords.put(change, "about", about(draft.kind(), draft.known(), draft.firstObservedAt(now), drafts));
    draft.putNews(change);
    for (var facet : view.facets()) {
      if (differing.contains(facet) || (origin.getKeyFrame() && facet.valueIn(draft.known()) != null)) {
        facet.putChange(change, facetChange(draft, facet, origin, drafts));
      }
    }
    return change;
  }

  private static IndexedRecord facetChange(ResourceDraft draft, FacetView facet, Origin origin, ResourceDrafts drafts) {
    var before = draft.published(facet);
    var after = facet.valueIn(draft.known());
    var beforeObservedAt =
        before == null ? null : notAfter(draft.publishedObservedAt(facet), origin.getObservedAt());
    return facet.isList()
        ? RankingDiff.orderChange(
            (RankingOrder) before,
            (RankingOrder) Objects.requireNonNull(after),
            pool -> aboutPool(pool, drafts),
            draft.isContiguous(),
            origin.getKeyFrame(),
            beforeObservedAt)
        : facet.change(before, after, beforeObservedAt);
  }

  /**
   * Limits the time of an earlier observation to the time of the current observation, since the clocks of instances may
   * differ.
   */
  private static @Nullable Instant notAfter(@Nullable Instant observed, Instant now) {
    return observed != null && observed.isAfter(now) ? now : observed;
  }

  /**
   * Returns the known values of a pool that are copied into changes of other resources. They are all null if the pool
   * is not known.
   */
  static PoolAbout aboutPool(String pool, ResourceDrafts drafts) {
    var known = drafts.known(ResourceKind.POOL, pool);
    return known == null ? new PoolAbout() : (PoolAbout) about(ResourceKind.POOL, known, null, drafts);
  }

  /**
   * Returns the field {@code about} of a change. An attribute with the schema property {@code of} is copied from the
   * path that the property names. The other attributes are values of related resources, the time of the first
   * observation, and the size of a ranking. A value that is not known is null.
   */
  private static IndexedRecord about(
      ResourceKind kind, IndexedRecord known, @Nullable Instant firstObservedAt, ResourceDrafts drafts) {
    var about = AvroRecords.blank(kind.changes().aboutType().schema());
    for (var attribute : kind.changes().aboutType().attributes()) {
      var path = attribute.property("of");
      about.put(
          attribute.position(),
          path == null
              ? related(known, attribute.name(), firstObservedAt, drafts)
              : copied(attribute, AvroRecords.at(known, path)));
    }
    return about;
  }

  private static @Nullable Object copied(Attribute attribute, @Nullable Object value) {
    return attribute.type() == Attribute.Scalar.DOUBLE ? DecimalMath.number(value) : value;
  }

  private static @Nullable Object related(
      IndexedRecord known, String name, @Nullable Instant firstObservedAt, ResourceDrafts drafts) {
    return switch (name) {
      case "first_observed_at" -> firstObservedAt;
      case "base_symbol" -> symbol(known, "description.base_token", drafts);
      case "quote_symbol" -> symbol(known, "description.quote_token", drafts);
      case "entity_name" -> {
        var entity = (String) Objects.requireNonNull(AvroRecords.at(known, "entity"));
        yield AvroRecords.at(drafts.known(ResourceKind.TREASURY, entity), "description.name");
      }
      case "size" -> AvroRecords.at(known, "order.entries") instanceof List<?> list ? list.size() : null;
      default -> null;
    };
  }

  private static @Nullable Object symbol(IndexedRecord pool, String path, ResourceDrafts drafts) {
    return AvroRecords.at(pool, path) instanceof String token
        ? AvroRecords.at(drafts.known(ResourceKind.TOKEN, token), "description.symbol")
        : null;
  }
}

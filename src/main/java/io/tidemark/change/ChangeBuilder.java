package io.tidemark.change;

import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetView;
import io.tidemark.event.FigureMath;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.RankingOrder;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Builds the change record of a draft: its facets, and {@code about}, by which a change can be read on its own. */
record ChangeBuilder(ResourceDraft draft, ResourceDrafts drafts) {

  /** The change with the facets that differ; a key frame has all facets that are known. */
  SpecificRecord build(Collection<FacetView> differing, Origin origin, long revision, Instant now) {
    var view = draft.kind().changes();
    var change = view.emptyChange(draft.known(), draft.generation(now), revision);
    view.put(change, "origin", origin);
    view.put(change, "about", about(draft.kind(), draft.known(), draft.firstObservedAt(now), drafts));
    draft.putNews(change);
    for (var facet : view.facets()) {
      if (differing.contains(facet) || (origin.getKeyFrame() && facet.valueIn(draft.known()) != null)) {
        facet.putChange(change, facetChange(facet, origin));
      }
    }
    return change;
  }

  private IndexedRecord facetChange(FacetView facet, Origin origin) {
    var before = draft.published(facet);
    var after = facet.valueIn(draft.known());
    var beforeObservedAt = notAfter(draft.publishedObservedAt(facet), origin.getObservedAt());
    return facet.isList()
        ? RankingDetector.orderChange(
            (RankingOrder) before,
            (RankingOrder) Objects.requireNonNull(after),
            pool -> aboutPool(pool, drafts),
            draft.isContiguous(),
            origin.getKeyFrame(),
            beforeObservedAt)
        : facet.change(before, after, before == null ? null : beforeObservedAt);
  }

  /** Nothing was observed after what is observed now, whatever the clocks said. */
  private static @Nullable Instant notAfter(@Nullable Instant observed, Instant now) {
    return observed != null && observed.isAfter(now) ? now : observed;
  }

  /** What is known of a pool, as changes of other resources name it. */
  static PoolAbout aboutPool(String pool, ResourceDrafts drafts) {
    var known = drafts.known(ResourceKind.POOL, pool);
    return known == null ? new PoolAbout() : (PoolAbout) about(ResourceKind.POOL, known, null, drafts);
  }

  /** A copy of the values that the schema's property {@code of} names, and of values of related resources. */
  private static IndexedRecord about(
      ResourceKind kind, IndexedRecord known, @Nullable Instant firstObservedAt, ResourceDrafts drafts) {
    var type = kind.changes().aboutType();
    var about = AvroRecords.blank(type.schema());
    for (var attribute : type.attributes()) {
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
    return attribute.type() == Attribute.Scalar.DOUBLE ? FigureMath.number(value) : value;
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

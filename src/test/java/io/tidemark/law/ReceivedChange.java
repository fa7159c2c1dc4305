package io.tidemark.law;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.RankingOrderChange;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/** A change as a consumer receives it. */
record ReceivedChange(String resource, String key, SpecificRecord change) {
  private static final Set<String> NEWS = Set.of("appeared", "visibility", "removed");

  static ReceivedChange of(ResourceUpdate update) {
    return new ReceivedChange(update.resource(), update.key(), SerializedCopy.again(update.change()));
  }

  /** Returns the facets that changed, as the header lists them. */
  Set<String> facets() {
    var facets = new TreeSet<String>();
    for (Schema.Field field : change.getSchema().getFields()) {
      if (change.get(field.pos()) instanceof IndexedRecord part && isNews(field.name(), part)) {
        facets.add(field.name());
      }
    }
    return facets;
  }

  private static boolean isNews(String name, IndexedRecord part) {
    if (part instanceof RankingOrderChange order) {
      return !order.getEntered().isEmpty() || !order.getExited().isEmpty() || !order.getMoved().isEmpty();
    }
    return NEWS.contains(name) || (hasAfter(part) && !Objects.equals(part.get(0), part.get(1)));
  }

  private static boolean hasAfter(IndexedRecord part) {
    return part.getSchema().getField("after") != null;
  }

  Map<String, Object> before(String facet) {
    return side(facet, "before");
  }

  Map<String, Object> after(String facet) {
    return side(facet, "after");
  }

  private Map<String, Object> side(String facet, String side) {
    return Attributes.of((IndexedRecord) Attributes.get((IndexedRecord) Attributes.get(change, facet), side));
  }

  long revision() {
    return (Long) Attributes.get(change, "revision");
  }

  /** Returns whether only a value changed that is derived from other resources. */
  boolean isDerived() {
    return facets().equals(Set.of("pool_price"));
  }

  @Override
  public String toString() {
    return resource + " " + key + " " + facets() + " " + change;
  }
}

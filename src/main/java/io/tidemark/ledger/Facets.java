package io.tidemark.ledger;

import static java.util.stream.Collectors.joining;

import io.tidemark.event.RankingOrderChange;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What a change is about, by its schema: the names that its {@code facets} header carries. */
public final class Facets {

  /** Said by being there at all. */
  private static final Set<String> NEWS = Set.of("appeared", "visibility", "removed");

  private Facets() {}

  /** Comma-separated, in the order of the schema. A facet that only a frame brought along is not among them. */
  public static String changed(SpecificRecord change) {
    return change.getSchema().getFields().stream()
        .filter(field -> isNews(field.name(), change.get(field.pos())))
        .map(Schema.Field::name)
        .collect(joining(","));
  }

  private static boolean isNews(String name, @Nullable Object value) {
    if (value instanceof RankingOrderChange order) {
      return isNews(order);
    }
    return value instanceof SpecificRecord part && (NEWS.contains(name) || differs(part));
  }

  /** A list seen for the first time is news even where it is empty. */
  private static boolean isNews(RankingOrderChange order) {
    return order.getBeforeObservedAt() == null
        || !order.getEntered().isEmpty()
        || !order.getExited().isEmpty()
        || !order.getMoved().isEmpty();
  }

  /** The change of a facet is what has before and after; other parts of a change have neither. */
  private static boolean differs(SpecificRecord part) {
    var before = part.getSchema().getField("before");
    var after = part.getSchema().getField("after");
    return before != null && after != null && !Objects.equals(part.get(before.pos()), part.get(after.pos()));
  }
}

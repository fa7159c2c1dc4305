package io.tidemark.change;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.FigureMath;
import io.tidemark.event.PoolAbout;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What a reader needs to know of a resource to make sense of its change, as the schemas' property {@code of} says. */
final class AboutCopy {
  private AboutCopy() {}

  static IndexedRecord of(ResourceKind kind, IndexedRecord known, @Nullable Instant firstObservedAt,
      KnownResources names) {
    IndexedRecord about = FacetRow.blank(kind.change().getField("about").schema());
    for (Schema.Field field : about.getSchema().getFields()) {
      String path = field.getProp("of");
      about.put(field.pos(), path == null ? joined(known, field.name(), names) : value(known, path, field));
    }
    StateFields.put(about, "first_observed_at", firstObservedAt);
    return about;
  }

  /** The same of a pool by its id, as far as it is known. */
  static PoolAbout ofPool(String pool, KnownResources names) {
    IndexedRecord known = names.known(ResourceKind.POOL, pool);
    return known == null ? new PoolAbout() : (PoolAbout) of(ResourceKind.POOL, known, null, names);
  }

  private static @Nullable Object value(IndexedRecord known, String path, Schema.Field field) {
    Object value = AvroRecords.at(known, path);
    return ResourceKind.nonNull(field.schema()).getType() == Schema.Type.DOUBLE ? FigureMath.number(value) : value;
  }

  private static @Nullable Object joined(IndexedRecord known, String name, KnownResources names) {
    return switch (name) {
      case "base_symbol" -> symbol(known, "description.base_token", names);
      case "quote_symbol" -> symbol(known, "description.quote_token", names);
      case "entity_name" ->
          AvroRecords.at(names.known(ResourceKind.TREASURY, text(known, "entity")), "description.name");
      case "size" -> AvroRecords.at(known, "order.entries") instanceof List<?> list ? list.size() : null;
      default -> null;
    };
  }

  private static @Nullable Object symbol(IndexedRecord pool, String path, KnownResources names) {
    return AvroRecords.at(pool, path) instanceof String token
        ? AvroRecords.at(names.known(ResourceKind.TOKEN, token), "description.symbol")
        : null;
  }

  private static String text(IndexedRecord record, String path) {
    return (String) Objects.requireNonNull(AvroRecords.at(record, path));
  }
}

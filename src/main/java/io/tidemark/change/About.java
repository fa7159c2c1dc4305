package io.tidemark.change;

import io.tidemark.event.PoolAbout;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What a reader needs to know of a resource to make sense of its change, as the schemas' property {@code of} says. */
final class About {
  private About() {}

  static IndexedRecord of(Kind kind, IndexedRecord known, @Nullable Instant firstSeenAt, Names names) {
    IndexedRecord about = Facet.blank(kind.change().getField("about").schema());
    for (Schema.Field field : about.getSchema().getFields()) {
      String path = field.getProp("of");
      about.put(field.pos(), path == null ? joined(known, field.name(), names) : value(known, path, field));
    }
    StateRecord.put(about, "first_seen_at", firstSeenAt);
    return about;
  }

  /** The same of a pool by its id, as far as it is known. */
  static PoolAbout ofPool(String pool, Names names) {
    IndexedRecord known = names.known(Kind.POOL, pool);
    return known == null ? new PoolAbout() : (PoolAbout) of(Kind.POOL, known, null, names);
  }

  private static @Nullable Object value(IndexedRecord known, String path, Schema.Field field) {
    Object value = Figures.at(known, path);
    return Kind.nonNull(field.schema()).getType() == Schema.Type.DOUBLE ? Figures.number(value) : value;
  }

  private static @Nullable Object joined(IndexedRecord known, String name, Names names) {
    return switch (name) {
      case "base_symbol" -> symbol(known, "description.base_token", names);
      case "quote_symbol" -> symbol(known, "description.quote_token", names);
      case "entity_name" -> Figures.at(names.known(Kind.TREASURY, text(known, "entity")), "description.name");
      case "size" -> Figures.at(known, "order.entries") instanceof List<?> list ? list.size() : null;
      default -> null;
    };
  }

  private static @Nullable Object symbol(IndexedRecord pool, String path, Names names) {
    return Figures.at(pool, path) instanceof String token
        ? Figures.at(names.known(Kind.TOKEN, token), "description.symbol")
        : null;
  }

  private static String text(IndexedRecord record, String path) {
    return (String) Objects.requireNonNull(Figures.at(record, path));
  }
}

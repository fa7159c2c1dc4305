package io.tidemark.cli.print;

import io.tidemark.event.Appeared;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What a change says, in a few words for people. */
final class ChangePrinter {

  private static final int MOST = 2;
  private static final double MINUTE = 60;

  private ChangePrinter() {}

  static String of(IndexedRecord change) {
    var parts = new ArrayList<String>();
    for (var field : change.getSchema().getFields()) {
      var part = part(field.name(), change.get(field.pos()));
      if (part != null) {
        parts.add(part);
      }
    }
    var more = parts.size() - MOST;
    return String.join(", ", parts.subList(0, Math.min(MOST, parts.size()))) + (more > 0 ? ", +" + more : "");
  }

  private static @Nullable String part(String name, @Nullable Object value) {
    return switch (value) {
      case Appeared appeared -> appeared(appeared);
      case Visibility sight -> sight.getVisible() ? "back in sight" : "out of sight";
      case Removed left -> "gone: " + left.getReason();
      case RankingOrderChange order -> order(order);
      case IndexedRecord facet when facet.getSchema().getField("after") != null -> facet(name, facet);
      case null, default -> null;
    };
  }

  private static String appeared(Appeared appeared) {
    var age = appeared.getAgeSeconds();
    var list = appeared.getList();
    return (appeared.getKind().equals("created") ? "new" : "found")
        + (age == null ? "" : ", " + age(age) + " old")
        + (list == null ? "" : ", in " + TerminalText.text(list));
  }

  private static String age(double seconds) {
    return seconds < 2 * MINUTE ? Math.round(seconds) + " s" : Math.round(seconds / MINUTE) + " min";
  }

  private static String order(RankingOrderChange order) {
    var words = new ArrayList<String>();
    count(words, order.getEntered().size(), "entered");
    count(words, order.getExited().size(), "exited");
    count(words, order.getMoved().size(), "moved");
    return words.isEmpty() ? order.getSize() + " members" : String.join(", ", words) + " of " + order.getSize();
  }

  private static void count(List<String> words, int count, String word) {
    if (count > 0) {
      words.add(count + " " + word);
    }
  }

  private static @Nullable String facet(String name, IndexedRecord facet) {
    var moves = new ArrayList<AttributeMove>();
    compare(name, get(facet, "before"), get(facet, "after"), moves);
    if (moves.isEmpty()) {
      return null;
    }
    var first = moves.getFirst();
    return first + percent(facet) + (moves.size() > 1 ? " (and " + (moves.size() - 1) + " more)" : "");
  }

  private static String percent(IndexedRecord facet) {
    return facet.getSchema().getField("move_percent") != null && get(facet, "move_percent") instanceof Double percent
        ? String.format(Locale.ROOT, " (%+.1f %%)", percent)
        : "";
  }

  /** One attribute of a facet, before and after. */
  private record AttributeMove(String name, @Nullable Object before, @Nullable Object after) {
    @Override
    public String toString() {
      return name + " " + (before == null ? "" : TerminalText.value(before) + " -> ")
          + (after == null ? "unknown" : TerminalText.value(after));
    }
  }

  private static void compare(String name, @Nullable Object before, @Nullable Object after, List<AttributeMove> moves) {
    if (Objects.equals(before, after)) {
      return;
    }
    var schema = after instanceof IndexedRecord record ? record.getSchema()
        : before instanceof IndexedRecord record ? record.getSchema() : null;
    if (schema == null) {
      moves.add(new AttributeMove(name, before, after));
      return;
    }
    for (var field : schema.getFields()) {
      compare(name(name, field, schema), in(before, field), in(after, field), moves);
    }
  }

  /** A facet's only attribute, or its first where that is its price, goes by the facet's name. */
  private static String name(String facet, Schema.Field field, Schema schema) {
    var isMain = schema.getFields().size() == 1 || (field.pos() == 0 && facet.equals("price"));
    return isMain ? facet : facet + "." + field.name();
  }

  private static @Nullable Object in(@Nullable Object record, Schema.Field field) {
    return record instanceof IndexedRecord values ? values.get(field.pos()) : null;
  }

  private static @Nullable Object get(IndexedRecord record, String field) {
    return record.get(record.getSchema().getField(field).pos());
  }
}

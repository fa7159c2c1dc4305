package io.tidemark.cli.print;

import io.tidemark.event.Appeared;
import io.tidemark.event.Attribute;
import io.tidemark.event.Attribute.RecordOf;
import io.tidemark.event.ChangeView;
import io.tidemark.event.ChangeView.ChangePart;
import io.tidemark.event.FacetView;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Summarises a change of a resource in one short line. */
final class ChangePrinter {

  private static final int MOST_PARTS = 2;
  private static final double MINUTE = 60;

  private ChangePrinter() {}

  static String print(SpecificRecord change) {
    var parts = ChangeView.of(change).parts().stream()
        .map(part -> print(part, change.get(part.position())))
        .filter(Objects::nonNull)
        .toList();
    var more = parts.size() - MOST_PARTS;
    return String.join(", ", parts.subList(0, Math.min(MOST_PARTS, parts.size()))) + (more > 0 ? ", +" + more : "");
  }

  private static @Nullable String print(ChangePart part, @Nullable Object value) {
    return switch (value) {
      case Appeared appeared -> print(appeared);
      case Visibility visibility -> visibility.getVisible() ? "visible again" : "not visible";
      case Removed removed -> "removed: " + removed.getReason();
      case RankingOrderChange order -> print(order);
      case IndexedRecord facetChange when part.facet() != null -> print(part.facet(), facetChange);
      case null, default -> null;
    };
  }

  private static String print(Appeared appeared) {
    var age = appeared.getAgeSeconds();
    var list = appeared.getList();
    return (appeared.getKind().equals("created") ? "new" : "found")
        + (age == null ? "" : ", " + age(age) + " old")
        + (list == null ? "" : ", in " + TerminalText.text(list));
  }

  private static String age(double seconds) {
    return seconds < 2 * MINUTE ? Math.round(seconds) + " s" : Math.round(seconds / MINUTE) + " min";
  }

  private static String print(RankingOrderChange order) {
    var counts = new ArrayList<String>();
    addCount(counts, order.getEntered().size(), "entered");
    addCount(counts, order.getExited().size(), "exited");
    addCount(counts, order.getMoved().size(), "moved");
    return counts.isEmpty() ? order.getSize() + " members" : String.join(", ", counts) + " of " + order.getSize();
  }

  private static void addCount(List<String> counts, int count, String what) {
    if (count > 0) {
      counts.add(count + " " + what);
    }
  }

  private static @Nullable String print(FacetView facet, IndexedRecord facetChange) {
    var moves = new ArrayList<AttributeMove>();
    addMoves(facet.name(), facet.attributes(), facet.before(facetChange), facet.after(facetChange), moves);
    if (moves.isEmpty()) {
      return null;
    }
    var more = moves.size() > 1 ? " (and " + (moves.size() - 1) + " more)" : "";
    return moves.getFirst() + percent(facet, facetChange) + more;
  }

  private static String percent(FacetView facet, IndexedRecord facetChange) {
    return facet.derived().stream()
        .filter(figure -> figure.name().equals("move_percent"))
        .map(figure -> figure.in(facetChange))
        .filter(Objects::nonNull)
        .map(percent -> String.format(Locale.ROOT, " (%+.1f %%)", percent))
        .findFirst()
        .orElse("");
  }

  /** One attribute of a facet, before and after. */
  private record AttributeMove(String name, @Nullable Object before, @Nullable Object after) {

    @Override
    public String toString() {
      return name + " " + (before == null ? "" : TerminalText.value(before) + " -> ")
          + (after == null ? "unknown" : TerminalText.value(after));
    }
  }

  private static void addMoves(
      String name,
      List<Attribute> attributes,
      @Nullable IndexedRecord before,
      @Nullable IndexedRecord after,
      List<AttributeMove> moves) {
    for (var attribute : attributes) {
      var label = label(name, attribute, attributes);
      var from = before == null ? null : attribute.in(before);
      var to = after == null ? null : attribute.in(after);
      if (attribute.type() instanceof RecordOf nested) {
        addMoves(label, nested.attributes(), (IndexedRecord) from, (IndexedRecord) to, moves);
      } else if (!Objects.equals(from, to)) {
        moves.add(new AttributeMove(label, from, to));
      }
    }
  }

  /** The only attribute of a facet, or the first of the price, is printed under the name of the facet. */
  private static String label(String facet, Attribute attribute, List<Attribute> attributes) {
    var isMain = attributes.size() == 1 || (attribute.position() == 0 && facet.equals("price"));
    return isMain ? facet : facet + "." + attribute.name();
  }
}

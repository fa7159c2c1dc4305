package io.tidemark.audit;

import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Figures of a facet's change that the schema says are derived from its before and after. */
final class DerivedFigureChecker {

  /** Relative: other machines may round otherwise. */
  private static final double CLOSE = 1e-9;

  private DerivedFigureChecker() {}

  static void check(AuditReport report, AuditedChange change, String facet, IndexedRecord said) {
    for (var field : said.getSchema().getFields()) {
      var move = field.getProp("move");
      var difference = field.getProp("difference");
      var of = move == null ? difference : move;
      if (of != null) {
        var expected = derived(number(said, "before", of), number(said, "after", of), move != null);
        same(report, change, facet + "." + field.name(), expected, (Double) said.get(field.pos()));
      }
    }
  }

  private static @Nullable Double derived(@Nullable Double before, @Nullable Double after, boolean percent) {
    if (before == null || after == null || (percent && before == 0)) {
      return null;
    }
    return finite(percent ? 100 * (after / before - 1) : after - before);
  }

  private static @Nullable Double number(IndexedRecord said, String side, String attribute) {
    var value = RecordFields.part(said, side);
    return value == null ? null : number(RecordFields.get(value, attribute));
  }

  private static @Nullable Double number(@Nullable Object value) {
    try {
      return value == null ? null : finite(Double.parseDouble(value.toString()));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  private static void same(
      AuditReport report, AuditedChange change, String where, @Nullable Double expected, @Nullable Double found) {
    if (!close(expected, found)) {
      report.add(Law.FIGURES, change.row().position(), where, expected, found);
    }
  }

  private static boolean close(@Nullable Double expected, @Nullable Double found) {
    if (expected == null || found == null) {
      return Objects.equals(expected, found);
    }
    return Math.abs(expected - found) <= CLOSE * Math.max(1, Math.abs(expected));
  }
}

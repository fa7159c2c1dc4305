package io.tidemark.change;

import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Values of records by path, and as figures. */
final class FigureMath {
  private FigureMath() {}

  /** The value at a dotted path through records and maps; null where any step is missing. */
  static @Nullable Object at(@Nullable Object from, String path) {
    Object value = from;
    for (String step : path.split("\\.")) {
      value = step(value, step);
    }
    return value;
  }

  private static @Nullable Object step(@Nullable Object from, String name) {
    if (from instanceof IndexedRecord record) {
      Schema.Field field = record.getSchema().getField(name);
      return field == null ? null : record.get(field.pos());
    }
    return from instanceof Map<?, ?> map ? map.get(name) : null;
  }

  /** The value as a double; null where it is no finite number. */
  static @Nullable Double number(@Nullable Object value) {
    double number =
        switch (value) {
          case Number each -> each.doubleValue();
          case String text -> parsed(text);
          case null, default -> Double.NaN;
        };
    return Double.isFinite(number) ? number : null;
  }

  private static double parsed(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** 100 (after / before - 1); null where it cannot be computed. */
  static @Nullable Double movePercent(@Nullable Object before, @Nullable Object after) {
    Double from = number(before);
    Double to = number(after);
    return from == null || to == null || from == 0 ? null : number(100 * (to / from - 1));
  }

  /** after - before; null where it cannot be computed. */
  static @Nullable Double difference(@Nullable Object before, @Nullable Object after) {
    Double from = number(before);
    Double to = number(after);
    return from == null || to == null ? null : number(to - from);
  }
}

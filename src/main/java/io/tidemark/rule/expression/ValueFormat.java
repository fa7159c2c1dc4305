package io.tidemark.rule.expression;

import io.tidemark.yaml.Spelling;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/** How a value is written in a template: {@code {{ about.reserve_usd | usd }}}. */
enum ValueFormat {
  /** 1,234,568 from a thousand on; smaller ones with four digits that count. */
  plain,
  /** The same, with its currency. */
  usd,
  /** With one decimal, and the sign of percent. */
  percent,
  /** The same, with a plus where it is more. */
  change,
  /** Of percentage points. */
  points,
  /** No decimals, no separators. */
  whole;

  /** @throws ExpressionException where there is no such format */
  static ValueFormat of(String name) {
    return Stream.of(values()).filter(format -> format.name().equals(name)).findFirst().orElseThrow(() -> {
      var names = Stream.of(values()).map(ValueFormat::name).toList();
      var nearest = Spelling.nearest(name, names);
      return new ExpressionException(1, 1, "'" + name + "': no such format; "
          + (nearest == null ? "there are " + String.join(", ", names) : "did you mean " + nearest + "?"));
    });
  }

  String of(Object value) {
    return value instanceof Number number && !(value instanceof Long && this == plain)
        ? of(number.doubleValue())
        : Wording.plain(value instanceof Duration span ? span : value);
  }

  private String of(double number) {
    return switch (this) {
      case plain -> Wording.number(number);
      case usd -> Wording.number(number) + " USD";
      case percent -> String.format(Locale.ROOT, "%.1f %%", number);
      case change -> String.format(Locale.ROOT, "%+.1f %%", number);
      case points -> String.format(Locale.ROOT, "%+.2f points", number);
      case whole -> String.format(Locale.ROOT, "%.0f", number);
    };
  }
}

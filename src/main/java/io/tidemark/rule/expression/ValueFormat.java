package io.tidemark.rule.expression;

import io.tidemark.event.SafeText;
import io.tidemark.yaml.Spelling;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How a value is written for people: {@code {{ about.reserve_usd | usd }}} in a template. A text from strangers stays on
 * its line and is bounded.
 */
enum ValueFormat {
  /** 1,234,568 from a thousand on; smaller ones with four significant digits. */
  PLAIN,
  /** Like plain, with the currency. */
  USD,
  /** With one decimal and the percent sign. */
  PERCENT,
  /** Like percent, with a plus sign where it is positive. */
  CHANGE,
  /** Percentage points. */
  POINTS,
  /** Without decimals and separators. */
  WHOLE;

  private static final int MAX_CHARACTERS = 80;

  /**
   * The format of a name.
   *
   * @throws ExpressionException if there is none
   */
  static ValueFormat named(String name) {
    return Stream.of(values()).filter(format -> format.text().equals(name)).findFirst().orElseThrow(() -> {
      var names = Stream.of(values()).map(ValueFormat::text).toList();
      var nearest = Spelling.nearest(name, names);
      return new ExpressionException(1, 1, "'" + name + "': no such format; "
          + (nearest == null ? "there are " + String.join(", ", names) : "did you mean " + nearest + "?"));
    });
  }

  private String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  String format(Object value) {
    return value instanceof Number number && !(value instanceof Long && this == PLAIN)
        ? format(number.doubleValue())
        : plain(value);
  }

  private String format(double number) {
    return switch (this) {
      case PLAIN -> number(number);
      case USD -> number(number) + " USD";
      case PERCENT -> String.format(Locale.ROOT, "%.1f %%", number);
      case CHANGE -> String.format(Locale.ROOT, "%+.1f %%", number);
      case POINTS -> String.format(Locale.ROOT, "%+.2f points", number);
      case WHOLE -> String.format(Locale.ROOT, "%.0f", number);
    };
  }

  /** A value for programs: figures with all their digits, texts bounded. */
  static String exact(Object value) {
    return value instanceof String text ? bounded(text) : value.toString();
  }

  /** A text on one line, without control characters, and bounded. */
  static String bounded(String text) {
    return SafeText.singleLine(text, MAX_CHARACTERS);
  }

  private static String plain(Object value) {
    return switch (value) {
      case Double number -> number(number);
      case Duration duration -> duration(duration);
      default -> bounded(value.toString());
    };
  }

  private static String number(double value) {
    if (Math.abs(value) >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (value == Math.rint(value)) {
      return Long.toString((long) value);
    }
    return Math.abs(value) >= 1e-6 ? fourDigits(value) : String.format(Locale.ROOT, "%.3e", value);
  }

  private static String fourDigits(double value) {
    var decimals = Math.max(0, 3 - (int) Math.floor(Math.log10(Math.abs(value))));
    var text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  /** {@code 4 minutes}: the largest unit of which there are at least two, or seconds. */
  private static String duration(Duration duration) {
    if (duration.toDays() >= 2) {
      return duration.toDays() + " days";
    }
    if (duration.toHours() >= 2) {
      return duration.toHours() + " hours";
    }
    return duration.toMinutes() >= 2 ? duration.toMinutes() + " minutes" : duration.toSeconds() + " seconds";
  }
}

package io.tidemark.rule.expression;

import io.tidemark.event.FigureText;
import io.tidemark.event.NameSuggestion;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A format in which a template writes a value for people, such as {@code usd} or {@code percent(4)}. Numbers are
 * rounded, and only tiny or huge numbers have an exponent.
 *
 * @param digits number of digits after the decimal point; -1 if a template cannot choose it
 */
record ValueFormat(ValueStyle style, int digits) {

  static final ValueFormat STANDARD = new ValueFormat(ValueStyle.PLAIN, -1);

  private static final int MAX_DIGITS = 12;
  private static final int SIGNIFICANT = 4;
  private static final double SHORT_FROM = 10_000;
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);

  /** Suffixes for the powers of a thousand. */
  private static final List<String> UNITS = List.of("", "K", "M", "B", "T");

  /** The formats, with their default numbers of digits. */
  enum ValueStyle {
    /**
     * Values of CEL's type int have all their digits, without separators. Doubles of at least 1,000 are written like
     * 1,234,568, also if they are whole, and smaller ones with four significant digits, like 0.000106 or 2.2e-21.
     */
    PLAIN(-1),
    /**
     * Numbers of at least 10,000 have three significant digits: 12.3K, 1.23M, 4.57B. Others are as doubles in PLAIN.
     */
    SHORT(-1),
    /** Amount in dollars: like SHORT, but with a dollar sign, as in $1.23M. */
    USD(-1),
    /** Price in dollars, as doubles in PLAIN with a dollar sign: $67,123, $0.000106. */
    PRICE(-1),
    /** Percentage with the percent sign. */
    PERCENT(1),
    /** Percentage as in PERCENT, with a plus sign if the number is not negative. */
    CHANGE(1),
    /** Percentage points with a sign: +0.25 points. */
    POINTS(2),
    /** Number rounded to a whole number, without separators. */
    WHOLE(-1);

    private final int digits;

    ValueStyle(int digits) {
      this.digits = digits;
    }

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** @throws ExpressionException if no format has the name, or if the number of digits is invalid */
  static ValueFormat of(String name, @Nullable String digits) {
    var styles = List.of(ValueStyle.values());
    var style = styles.stream().filter(each -> each.text().equals(name)).findFirst().orElseThrow(() -> {
      var names = texts(styles.stream());
      return new ExpressionException(1, 1, "'" + name + "': no such format; "
          + NameSuggestion.suggestion(name, names, "the formats are " + String.join(", ", names)));
    });
    if (digits == null) {
      return new ValueFormat(style, style.digits);
    }
    if (style.digits < 0) {
      throw new ExpressionException(1, 1, "'" + name + "' takes no digits; formats with digits are "
          + String.join(", ", texts(styles.stream().filter(each -> each.digits >= 0))));
    }
    if (!digits.matches("\\d{1,2}") || Integer.parseInt(digits) > MAX_DIGITS) {
      throw new ExpressionException(1, 1, "'" + name + "(" + digits + ")': the number of digits must be 0 to "
          + MAX_DIGITS);
    }
    return new ValueFormat(style, Integer.parseInt(digits));
  }

  private static List<String> texts(Stream<ValueStyle> styles) {
    return styles.map(ValueStyle::text).toList();
  }

  String format(Object value) {
    return switch (value) {
      case Long number when style == ValueStyle.PLAIN -> number.toString();
      case Number number -> format(number.doubleValue());
      case Duration duration -> duration(duration);
      default -> Template.bounded(value.toString());
    };
  }

  private String format(double number) {
    return switch (style) {
      case PLAIN -> plain(number);
      case SHORT -> rounded(number);
      case USD -> dollars(number, rounded(Math.abs(number)));
      case PRICE -> dollars(number, plain(Math.abs(number)));
      case PERCENT -> places(number, false) + " %";
      case CHANGE -> places(number, true) + " %";
      case POINTS -> places(number, true) + " points";
      case WHOLE -> String.format(Locale.ROOT, "%.0f", number);
    };
  }

  private static String dollars(double number, String written) {
    return (number < 0 ? "-$" : "$") + written;
  }

  private static String plain(double value) {
    return Double.isFinite(value)
        ? FigureText.withoutZeros(FigureText.leading(BigDecimal.valueOf(value), SIGNIFICANT))
        : Double.toString(value);
  }

  private static String rounded(double value) {
    if (!Double.isFinite(value) || Math.abs(value) < SHORT_FROM) {
      return plain(value);
    }
    var rounded = BigDecimal.valueOf(value).round(THREE_DIGITS);
    var size = rounded.precision() - rounded.scale();
    var unit = Math.min((size - 1) / 3, UNITS.size() - 1);
    return rounded.movePointLeft(3 * unit).stripTrailingZeros().toPlainString() + UNITS.get(unit);
  }

  /**
   * Formats a number with the digits of this format. If all digits of the result would be zero, the first significant
   * digits are used instead, like {@code 0.00042}.
   *
   * @param signed whether a number that is not negative begins with {@code +}
   */
  private String places(double value, boolean signed) {
    var sign = signed && value >= 0 ? "+" : "";
    var rounded = String.format(Locale.ROOT, "%." + digits + "f", value);
    return sign + (value == 0 || !Double.isFinite(value) || rounded.matches(".*[1-9].*")
        ? rounded
        : FigureText.withoutZeros(FigureText.leading(BigDecimal.valueOf(value), 2)));
  }

  /**
   * Formats a duration like {@code 4 minutes}: in the largest unit in which the number is at least 2, else in seconds.
   */
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

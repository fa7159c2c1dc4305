package io.tidemark.cli.print;

import io.tidemark.event.DecimalMath;
import io.tidemark.event.FigureText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The unit of a figure, which is a number printed for people: with few digits, and with K, M, B or T if it is large.
 */
enum FigureUnit {
  NONE("", ""),
  /** A price in dollars, formatted with all digits before the point up to a million. */
  USD("$", ""),
  /**
   * A sum in dollars, formatted as in the summaries of alerts: from ten thousand on, with three digits and a suffix
   * such as K.
   */
  USD_SUM("$", ""),
  BTC("", " BTC"),
  PERCENT("", "%"),
  /** Seconds since 1970, printed as the time of day. */
  TIME("", ""),
  /** A number that identifies something, written unchanged. */
  IDENTIFIER("", "");

  private static final int DIGITS = 4;
  private static final int MOST_DIGITS = 12;
  private static final int LONGEST_FIGURE = 200;
  private static final int THOUSAND_DIGITS = 3;
  private static final int MILLION_DIGITS = 6;
  private static final BigDecimal SUFFIXED_FROM = BigDecimal.valueOf(10_000);
  /** The year 10,000, as a {@link #TIME}. Larger numbers are not in seconds. */
  private static final long END_OF_TIMES = 253_402_300_800L;
  private static final BigDecimal HUGE = BigDecimal.TEN.pow(18);
  private static final List<String> SUFFIXES = List.of("", "K", "M", "B", "T");
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final Pattern FIGURE = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d{1,3})?");

  private final String before;
  private final String after;

  FigureUnit(String before, String after) {
    this.before = before;
    this.after = after;
  }

  /**
   * Formats a value with few digits. An {@code Instant} becomes the time of day. Text that is not a figure is only
   * escaped and cut.
   */
  String format(Object value, ZoneId zone) {
    return format(value, DIGITS, zone);
  }

  /** Formats two values, with enough digits to tell them apart, but at most {@link #MOST_DIGITS}. */
  String formatMove(Object from, Object to, ZoneId zone) {
    var digits = DIGITS;
    while (digits < MOST_DIGITS && format(from, digits, zone).equals(format(to, digits, zone)) && !from.equals(to)) {
      digits++;
    }
    return format(from, digits, zone) + " -> " + format(to, digits, zone);
  }

  /** Formats a change in percent with its sign, or returns an empty text if it rounds to zero. */
  static String percent(double percent) {
    var size = Math.abs(percent);
    var text = String.format(Locale.ROOT, size >= 1_000 ? "%+,.0f%%" : size >= 0.1 ? "%+.1f%%" : "%+.2f%%", percent);
    return size < 0.005 ? "" : text;
  }

  /**
   * Returns the change from one value to another in percent, or null if the change has no meaning in this unit or
   * cannot be computed.
   */
  @Nullable
  Double move(@Nullable Object from, @Nullable Object to) {
    return this == PERCENT || this == TIME || this == IDENTIFIER ? null : DecimalMath.percentRise(from, to);
  }

  private String format(Object value, int digits, ZoneId zone) {
    var text = value instanceof Instant at ? CLOCK.format(at.atZone(zone)) : value.toString();
    if (this == IDENTIFIER || text.length() > LONGEST_FIGURE || !FIGURE.matcher(text).matches()) {
      return TerminalText.text(text);
    }
    if (this == TIME && value instanceof Long seconds && seconds > -END_OF_TIMES && seconds < END_OF_TIMES) {
      return CLOCK.format(Instant.ofEpochSecond(seconds).atZone(zone));
    }
    var figure = new BigDecimal(text);
    return figure.signum() < 0 ? "-" + format(figure.negate(), digits) : format(figure, digits);
  }

  /** Formats a figure. From ten thousand on, a sum has one digit less than other figures, and always a suffix. */
  private String format(BigDecimal figure, int digits) {
    var isSuffixed = this == USD_SUM && figure.compareTo(SUFFIXED_FROM) >= 0 && figure.compareTo(HUGE) < 0;
    return before + (isSuffixed
        ? digits(figure.round(new MathContext(digits - 1, RoundingMode.HALF_UP)), digits - 1, THOUSAND_DIGITS)
        : digits(figure, digits, MILLION_DIGITS)) + after;
  }

  /** @param suffixed number of digits before the point of the largest figure without a suffix */
  private static String digits(BigDecimal figure, int digits, int suffixed) {
    if (figure.signum() == 0) {
      return "0";
    }
    if (figure.compareTo(HUGE) >= 0) {
      return FigureText.leading(figure, digits);
    }
    var exponent = figure.precision() - figure.scale() - 1;
    var step = exponent < suffixed ? 0 : Math.min(SUFFIXES.size() - 1, exponent / THOUSAND_DIGITS);
    var scaled = figure.movePointLeft(THOUSAND_DIGITS * step);
    var sent = Math.max(0, scaled.stripTrailingZeros().scale());
    return FigureText.leading(scaled, digits, sent) + SUFFIXES.get(step);
  }
}

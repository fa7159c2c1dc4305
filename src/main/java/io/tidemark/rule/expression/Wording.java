package io.tidemark.rule.expression;

import io.tidemark.event.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How values look in a sentence for people. What strangers chose stays on its line and is bounded. */
public final class Wording {

  private static final int LONGEST = 80;

  private Wording() {}

  /** A value without a format. */
  static String plain(Object value) {
    return switch (value) {
      case Double number -> number(number);
      case Duration span -> span(span);
      case Instant time -> time.toString();
      case String text -> name(text);
      default -> name(value.toString());
    };
  }

  /** Values as text for programs: figures with all their digits, texts bounded. */
  static Map<String, String> all(Map<String, Object> values) {
    var texts = new LinkedHashMap<String, String>();
    values.forEach((name, value) -> texts.put(name, value instanceof String text ? name(text) : value.toString()));
    return texts;
  }

  /** A text on one line, without characters that move cursors or turn directions, and not too long. */
  public static String name(String text) {
    return SafeText.singleLine(text, LONGEST);
  }

  /** {@code 1,234,568} from a thousand on; smaller ones with four digits that count. */
  static String number(double value) {
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

  /** {@code 4 minutes}: the largest unit that counts at least two, or seconds. */
  static String span(Duration span) {
    if (span.toDays() >= 2) {
      return span.toDays() + " days";
    }
    if (span.toHours() >= 2) {
      return span.toHours() + " hours";
    }
    return span.toMinutes() >= 2 ? span.toMinutes() + " minutes" : span.toSeconds() + " seconds";
  }
}

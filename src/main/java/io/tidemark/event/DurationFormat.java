package io.tidemark.event;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The format of durations: a whole number, an optional space and a unit, such as {@code 30s}, {@code 10m}, {@code
 * 6h}, {@code 30d}.
 */
@NullMarked
public enum DurationFormat {
  /** The format in configurations, with units from milliseconds to days. */
  OF_CONFIGURATION("\\d{1,9} ?(ms|s|m|h|d)", "a duration such as 500ms, 30s, 10m, 6h or 30d"),
  /** The format in rules, with units from seconds to days, because the time of rules advances in whole seconds. */
  OF_RULES("\\d{1,6} ?(s|m|h|d)", "a duration such as 30s, 10m, 6h or 30d");

  private final Pattern pattern;
  private final String example;

  DurationFormat(String pattern, String example) {
    this.pattern = Pattern.compile(pattern);
    this.example = example;
  }

  /** Parses a duration. Returns null if the text does not have this format. */
  public @Nullable Duration parse(String text) {
    var matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    var unit = switch (matcher.group(1)) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
    return unit.multipliedBy(Long.parseLong(text.replaceAll("\\D", "")));
  }

  /** Formats the whole seconds of a duration in the largest unit that leaves no remainder. */
  public static String format(Duration duration) {
    var seconds = duration.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 3600 != 0) {
      return seconds / 60 + "m";
    }
    return seconds % 86_400 == 0 ? seconds / 86_400 + "d" : seconds / 3600 + "h";
  }

  public String pattern() {
    return pattern.pattern();
  }

  /** Returns a description of this format for messages: {@code a duration such as ...}. */
  public String example() {
    return example;
  }
}
